"""Keeps collected static files under names that carry their content's hash."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Also rewrites the relative imports of our ES modules, so that a module never loads a stale one."""

    support_js_module_import_aggregation = True
