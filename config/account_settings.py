"""How people come in: who may make an account, how mail is sent, whom else to believe, what allauth is told."""

from config import env
from config.account_rules import mail_server, openid_provider, sign_up_rule

# Who may make an account; chat/accounts/sign_up.py asks it.
SIGN_UP = sign_up_rule(env.text("HOLDFAST_SIGN_UP", "invitation"), name="HOLDFAST_SIGN_UP")
MUST_CONFIRM_EMAIL = SIGN_UP.kind != "invitation"

MAIL = mail_server()
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if MAIL.host else 'console'}.EmailBackend"
EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.security == "starttls", MAIL.security == "tls"
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = MAIL.sender

OPENID_PROVIDER = openid_provider()
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": OPENID_PROVIDER.id,
                "name": OPENID_PROVIDER.name,
                "client_id": OPENID_PROVIDER.client_id,
                "secret": OPENID_PROVIDER.client_secret,
                "settings": {"server_url": OPENID_PROVIDER.server_url},
            }
        ]
        if OPENID_PROVIDER
        else [],
    }
}
SOCIALACCOUNT_ADAPTER = "chat.accounts.openid_adapter.OpenidAdapter"
SOCIALACCOUNT_FORMS = {
    "signup": "chat.accounts.sign_up_forms.OpenidSignUpForm",
    "disconnect": "chat.accounts.forms.UnlinkForm",
}
# An address that a provider tells of never opens an account that is here already: only its owner links the two.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_STORE_TOKENS = False

# Alone: a second backend would check each wrong password twice.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ACCOUNT_ADAPTER = "chat.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if MUST_CONFIRM_EMAIL else "optional"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_FORMS = {
    "login": "chat.accounts.forms.SignInForm",
    "signup": "chat.accounts.sign_up_forms.SignUpForm",
    "add_email": "chat.accounts.forms.AddEmailForm",
    "change_password": "chat.accounts.forms.ChangePasswordForm",
    "set_password": "chat.accounts.forms.SetPasswordForm",
    "reset_password": "chat.accounts.forms.ForgottenPasswordForm",
    "reset_password_from_key": "chat.accounts.forms.NewPasswordForm",
    "reauthenticate": "chat.accounts.forms.ProveByPasswordForm",
}
# Failed passwords and codes are counted by chat/accounts/lock_out.py alone.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": None,
    "signup": "20/m/ip",
    "reset_password": "10/m/ip,5/h/key",
}

MFA_ADAPTER = "chat.accounts.second_factor.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_TOTP_ISSUER = "Holdfast"
MFA_TOTP_TOLERANCE = 1
# Who has signed up by themselves has confirmed an address before they come in; others need none.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "authenticate": "chat.accounts.second_factor_forms.CodeForm",
    "reauthenticate": "chat.accounts.second_factor_forms.ProveByCodeForm",
    "activate_totp": "chat.accounts.second_factor_forms.AuthenticatorForm",
    "add_webauthn": "chat.accounts.second_factor_forms.PasskeyForm",
}
USERSESSIONS_TRACK_ACTIVITY = False  # chat/accounts/last_seen.py writes less often
