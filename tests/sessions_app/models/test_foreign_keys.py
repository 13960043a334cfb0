"""Nothing is deleted along with something else."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db.models import PROTECT, ForeignKey

FOREIGN_KEYS = [
    field
    for model in apps.get_app_config("sessions_app").get_models()
    for field in model._meta.local_concrete_fields
    if isinstance(field, ForeignKey)
]


@pytest.mark.parametrize("field", FOREIGN_KEYS, ids=str)
def test_every_foreign_key_protects_what_it_points_at(field: ForeignKey[object, object]) -> None:
    assert field.remote_field.on_delete is PROTECT
