"""Every setting of the site; docs/configuration.md explains the environment variables."""

from pathlib import Path

from csp.constants import NONE, SELF

from config import env, kept_keys
from config.account_settings import *  # noqa: F403 - they are found by their names
from config.databases import database
from config.environment_agents import environment_agents
from config.logs import configure_structlog, logging_settings

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.folder("HOLDFAST_DATA_DIR", default=BASE_DIR / "data")

DEBUG = env.flag("HOLDFAST_DEBUG", default=False)
HTTPS = env.flag("HOLDFAST_HTTPS", default=False)
SECRET_KEY = env.secret(
    "HOLDFAST_SECRET_KEY", minimum_length=kept_keys.SECRET_KEY_LENGTH
) or kept_keys.SECRET_KEY.load_or_create(DATA_DIR / "secret_key")
ENCRYPTION_KEYS = env.encryption_keys("HOLDFAST_ENCRYPTION_KEYS") or [
    kept_keys.ENCRYPTION_KEY.load_or_create(DATA_DIR / "encryption_key")
]
ALLOWED_HOSTS = env.hosts("HOLDFAST_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.origins("HOLDFAST_CSRF_TRUSTED_ORIGINS")

# sessions_app comes first because its commands replace Django's own of the same name.
INSTALLED_APPS = [
    "sessions_app.apps.SessionsAppConfig",
    "chat.apps.ChatConfig",
    "channels",
    "csp",
    # Without "allauth" itself: its pages and mails would take the place of ours where one is missing.
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "config.admin.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "config.static_middleware.StaticFilesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.security_headers.security_headers",
    "config.compression.CompressionMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "chat.accounts.last_seen.last_seen",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {
    "default": database(env.text("DATABASE_URL"), default_file=DATA_DIR / "holdfast.sqlite3"),
}
# Only nudges between processes pass through it; without Redis there is one process, which needs none.
REDIS_URL = env.text("REDIS_URL")
CHANNEL_LAYERS = (
    {
        "nudges": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": "holdfast"},
        }
    }
    if REDIS_URL
    else {}
)
# Failed sign-ins are counted in it; a small one would forget the oldest under an attack.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

ALLOW_PRIVATE_PROVIDERS = env.hosts_and_networks("HOLDFAST_ALLOW_PRIVATE_PROVIDERS")
ENVIRONMENT_AGENTS = environment_agents(
    openai_key=env.text("OPENAI_API_KEY"),
    openai_address=env.text("OPENAI_BASE_URL"),
    openai_model=env.text("OPENAI_MODEL"),
    anthropic_key=env.text("ANTHROPIC_API_KEY"),
    anthropic_model=env.text("ANTHROPIC_MODEL"),
)

API_REQUESTS_A_SECOND = env.number("HOLDFAST_API_REQUESTS_A_SECOND", default=50, minimum=1, maximum=100_000)
RATE_PERCENT = env.number("HOLDFAST_RATE_PERCENT", default=100, minimum=1, maximum=100_000)
# Of a file that is sent to be imported; the command line takes any.
LARGEST_IMPORT = 1024**2 * env.number("HOLDFAST_IMPORT_MEGABYTES", default=512, minimum=1, maximum=100_000)
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "chat.api.schema.Schema",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Holdfast",
    "DESCRIPTION": "Everything the page can do, for scripts. docs/api.md shows how to begin.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "MembershipRole": "sessions_app.models.Role",
        "InvitationRole": "chat.api.shapes.invitations.ROLES",
        "MessageRole": "sessions_app.models.MessageRole",
        "TurnState": "sessions_app.models.TurnState",
        "EventKind": "sessions_app.models.EventKind",
        "CheckpointKind": "sessions_app.models.CheckpointKind",
        "Openness": "sessions_app.models.Openness",
        "AccessLevel": "sessions_app.models.Level",
        "Scope": "chat.models.Scope",
    },
}
REST_KNOX = {"AUTH_HEADER_PREFIX": "Bearer", "TOKEN_PREFIX": "hf_", "TOKEN_TTL": None}
KNOX_TOKEN_MODEL = "chat.ApiToken"
# Its own table would stay empty beside ours.
MIGRATION_MODULES = {"knox": None}

WORKSPACE_CREATION = env.choice("HOLDFAST_WORKSPACE_CREATION", ["anyone", "staff"], default="anyone")

AUTH_USER_MODEL = "sessions_app.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "index"
LOGOUT_REDIRECT_URL = "account_login"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = env.folder("HOLDFAST_STATIC_DIR", default=BASE_DIR / ".static")
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_ALLOW_ALL_ORIGINS = False
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_storage.StaticStorage"},
}

# HOLDFAST_HTTPS says that people come through a proxy that ends TLS and sets this header itself.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# Only a header that the proxy writes itself says who came; without one it is the other end of the connection.
CLIENT_ADDRESS_HEADER = env.text("HOLDFAST_CLIENT_ADDRESS_HEADER")
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = env.number(
    "HOLDFAST_HSTS_SECONDS", default=31_536_000 if HTTPS else 0, minimum=0, maximum=63_072_000
)
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

configure_structlog()
LOGGING = logging_settings(
    log_format=env.choice("HOLDFAST_LOG_FORMAT", ["console", "json"], default="console"),
    level=env.choice("HOLDFAST_LOG_LEVEL", ["debug", "info", "warning", "error"], default="info").upper(),
)
