"""The addresses of coming in, and of one's own account: allauth's pages that we use, and no others."""

from allauth.account import views as account_views
from allauth.mfa.base import views as factor_views
from allauth.mfa.recovery_codes import views as code_views
from allauth.mfa.totp import views as totp_views
from allauth.mfa.webauthn import views as passkey_views
from allauth.socialaccount import views as elsewhere_views
from django.contrib.auth.views import LogoutView
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from chat.pages import account, sign_in_elsewhere
from chat.pages.sign_in import SignIn

to_account = RedirectView.as_view(pattern_name="account")

password = [
    path("", account_views.password_change, name="account_change_password"),
    path("first/", account_views.password_set, name="account_set_password"),
    path("forgotten/", account_views.password_reset, name="account_reset_password"),
    path("forgotten/sent/", account_views.password_reset_done, name="account_reset_password_done"),
    path("chosen/", RedirectView.as_view(pattern_name="index"), name="account_reset_password_from_key_done"),
    re_path(
        r"^(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account_views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
]

email = [
    path("", account_views.email, name="account_email"),
    path("sent/", account_views.email_verification_sent, name="account_email_verification_sent"),
    re_path(r"^(?P<key>[-:\w]+)/$", account_views.confirm_email, name="account_confirm_email"),
]

second_factor = [
    path("", to_account, name="mfa_index"),
    path("authenticator/", totp_views.activate_totp, name="mfa_activate_totp"),
    path("authenticator/removal/", totp_views.deactivate_totp, name="mfa_deactivate_totp"),
    path("recovery-codes/", code_views.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("recovery-codes/new/", code_views.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("passkeys/", to_account, name="mfa_list_webauthn"),
    path("passkeys/new/", passkey_views.add_webauthn, name="mfa_add_webauthn"),
    path("passkeys/<int:pk>/name/", passkey_views.edit_webauthn, name="mfa_edit_webauthn"),
    path("passkeys/<int:pk>/removal/", passkey_views.remove_webauthn, name="mfa_remove_webauthn"),
]

proof = [
    path("password/", account_views.reauthenticate, name="account_reauthenticate"),
    path("code/", factor_views.reauthenticate, name="mfa_reauthenticate"),
    path("passkey/", passkey_views.reauthenticate_webauthn, name="mfa_reauthenticate_webauthn"),
]

elsewhere = [
    path("cancelled/", elsewhere_views.login_cancelled, name="socialaccount_login_cancelled"),
    path("failed/", elsewhere_views.login_error, name="socialaccount_login_error"),
    path("sign-up/", elsewhere_views.signup, name="socialaccount_signup"),
    path("links/", elsewhere_views.connections, name="socialaccount_connections"),
    path("with/<slug:provider_id>/", sign_in_elsewhere.leave, name="openid_connect_login"),
    path("with/<slug:provider_id>/back/", sign_in_elsewhere.come_back, name="openid_connect_callback"),
]

urlpatterns = [
    path("login/", SignIn.as_view(), name="account_login"),
    path("login/code/", factor_views.authenticate, name="mfa_authenticate"),
    path("login/passkey/", passkey_views.login_webauthn, name="mfa_login_webauthn"),
    path("login/closed/", account_views.account_inactive, name="account_inactive"),
    path("login/elsewhere/", include(elsewhere)),
    path("logout/", LogoutView.as_view(), name="account_logout"),
    path("sign-up/", account_views.signup, name="account_signup"),
    path("password/", include(password)),
    path("account/", account.account, name="account"),
    path("account/name/", account.name, name="account_name"),
    path("account/email/", include(email)),
    path("account/second-factor/", include(second_factor)),
    path("account/proof/", include(proof)),
    path("account/sign-outs/", account.sign_out_everywhere, name="sign_out_everywhere"),
    path("account/sessions/<int:pk>/sign-outs/", account.sign_out_elsewhere, name="sign_out_elsewhere"),
]
