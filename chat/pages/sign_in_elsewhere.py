"""Signing in at another site: people are sent there, and come back with what it says of them."""

from __future__ import annotations

from typing import Any

import requests
import structlog
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from chat.accounts.openid import OpenidClient

# What a provider that is down, set up wrongly or hostile makes of a request.
BROKEN = (requests.RequestException, OAuth2Error, KeyError, TypeError, ValueError)

log = structlog.get_logger(__name__)


def leave(request: HttpRequest, provider_id: str) -> HttpResponse:
    answer = _answered(OAuth2LoginView, request, provider_id)
    if request.method == "POST" and isinstance(answer, HttpResponseRedirect):
        # Browsers hold the policy's form-action against the redirect of a form, and who knows how many follow.
        return render(request, "socialaccount/leaving.html", {"address": answer.url})
    return answer


def come_back(request: HttpRequest, provider_id: str) -> HttpResponse:
    return _answered(OAuth2CallbackView, request, provider_id)


def _answered(view: Any, request: HttpRequest, provider_id: str) -> HttpResponse:
    client = OpenidClient(request, provider_id)
    try:
        answer: HttpResponse = view.adapter_view(client)(request)
    except SocialApp.DoesNotExist:
        raise Http404 from None
    except BROKEN as error:
        log.warning("sign_in_elsewhere_failed", provider=provider_id, error=str(error))
        answer = render_authentication_error(request, client.get_provider(), exception=error)
    return answer
