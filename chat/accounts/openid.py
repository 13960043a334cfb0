"""How this site speaks to an OpenID provider: what comes back is believed only where it is proved."""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.internal import jwtkit
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest


class OpenidClient(OpenIDConnectOAuth2Adapter):
    def complete_login(self, request: HttpRequest, app: Any, token: Any, **kwargs: Any) -> Any:
        """The identity token says who somebody is; what the provider tells besides must be of the same person."""
        encoded = kwargs["response"].get("id_token")
        if not encoded:
            raise OAuth2Error("The provider sent no identity token.")
        proved, told = self._decode_id_token(app, encoded), self._fetch_user_info(token.token)
        if not proved.get("sub") or told.get("sub") != proved["sub"]:
            raise OAuth2Error("The provider told of another person than its identity token.")
        for claims in (proved, told):
            # Some providers send a word, and "false" is true.
            claims["email_verified"] = claims.get("email_verified") in (True, "true")
        return self.get_provider().sociallogin_from_response(request, {"userinfo": told, "id_token": proved})

    def _decode_id_token(self, app: Any, id_token: str) -> dict[str, Any]:
        """The signature is looked at although the token came straight from the provider."""
        claims: dict[str, Any] = jwtkit.verify_and_decode(
            credential=id_token,
            keys_url=self.openid_config["jwks_uri"],
            issuer=self.openid_config["issuer"],
            audience=app.client_id,
            lookup_kid=jwtkit.lookup_kid_jwk,
        )
        return claims
