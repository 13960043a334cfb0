"""What watches a process asks it: is it alive, is it ready, what has it counted."""

from __future__ import annotations

from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from chat import serving
from sessions_app.services.access import OPERATE

LOOPBACK = {"127.0.0.1", "::1"}


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """503 while it starts, drains or cannot save: send people elsewhere, if there is an elsewhere."""
    checks = {"runtime": serving.is_ready(), "database": database_answers()}
    is_ready = all(checks.values())
    answer = {"status": "ready" if is_ready else "not ready", "checks": checks}
    return JsonResponse(answer, status=200 if is_ready else 503)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For Prometheus on this machine and for operators; for everybody else there is nothing here."""
    is_local = request.META.get("REMOTE_ADDR") in LOOPBACK and "HTTP_X_FORWARDED_FOR" not in request.META
    if not is_local and not request.user.has_perm(OPERATE):
        return HttpResponseNotFound()
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True
