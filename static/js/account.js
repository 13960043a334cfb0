// The pages of coming in: gives the forms that need a passkey their behaviour.

import { PasskeyForm } from "./behaviors/passkey_form.js";

for (const form of document.querySelectorAll("form[data-passkey]")) new PasskeyForm(form);
