// Asks the browser for a passkey, in the JSON that the server writes and reads: bytes are URL-safe base64 there.

export function isSupported() {
  return "PublicKeyCredential" in window;
}

// `isAlone`: it will be enough by itself, so it must know whose it is and ask for a finger, a face or a PIN.
export async function createPasskey({ publicKey }, isAlone) {
  const authenticatorSelection = {
    ...publicKey.authenticatorSelection,
    residentKey: isAlone ? "required" : "discouraged",
    requireResidentKey: isAlone,
    ...(isAlone ? { userVerification: "required" } : {}),
  };
  const asked = {
    ...publicKey,
    authenticatorSelection,
    challenge: bytes(publicKey.challenge),
    user: { ...publicKey.user, id: bytes(publicKey.user.id) },
    excludeCredentials: listed(publicKey.excludeCredentials),
  };
  const made = await navigator.credentials.create({ publicKey: asked });
  return told(made, ["clientDataJSON", "attestationObject"]);
}

export async function usePasskey({ publicKey }) {
  const asked = {
    ...publicKey,
    challenge: bytes(publicKey.challenge),
    allowCredentials: listed(publicKey.allowCredentials),
  };
  const used = await navigator.credentials.get({ publicKey: asked });
  return told(used, ["clientDataJSON", "authenticatorData", "signature", "userHandle"]);
}

function told(credential, names) {
  const response = {};
  for (const name of names) if (credential.response[name]) response[name] = text(credential.response[name]);
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    response,
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}

function listed(credentials = []) {
  return credentials.map((credential) => ({ ...credential, id: bytes(credential.id) }));
}

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
