// Puts a page together: reads what the server says it shows, and gives its elements their behaviour.

import { AccessDialog, AccessMark } from "./behaviors/access.js";
import { Actions } from "./behaviors/actions.js";
import { Commands } from "./behaviors/commands.js";
import { Composer } from "./behaviors/composer.js";
import { ConnectionBanner } from "./behaviors/connection_banner.js";
import { Dialog, openOnClick } from "./behaviors/dialog.js";
import { CheckpointForm, DownloadForm, ForkForm, PostForm, SettingsForm } from "./behaviors/forms.js";
import { Gone } from "./behaviors/gone.js";
import { HistoryDrawer } from "./behaviors/history_drawer.js";
import { ImportForm } from "./behaviors/import_form.js";
import { Jumps } from "./behaviors/jumps.js";
import { Presence, Typing } from "./behaviors/presence.js";
import { ReadMarker } from "./behaviors/read_marker.js";
import { RecoveryNotice } from "./behaviors/recovery_notice.js";
import { Reply } from "./behaviors/reply.js";
import { ResetDialog } from "./behaviors/reset_dialog.js";
import { Restores } from "./behaviors/restores.js";
import { Search } from "./behaviors/search.js";
import { Shortcuts } from "./behaviors/shortcuts.js";
import { Sidebar } from "./behaviors/sidebar.js";
import { AgentName, Announcer, ContextMeter, Menu, SessionNumber, Start, Time, Title, Toasts } from "./behaviors/small.js";
import { Standing } from "./behaviors/standing.js";
import { StopButton } from "./behaviors/stop_button.js";
import { Transcript } from "./behaviors/transcript.js";
import { Workspaces } from "./behaviors/workspaces.js";
import { App } from "./models/app.js";
import { Behaviors } from "./models/behaviors.js";

const BEHAVIORS = {
  "access-dialog": AccessDialog,
  "access-mark": AccessMark,
  "agent-name": AgentName,
  announcer: Announcer,
  "checkpoint-form": CheckpointForm,
  commands: Commands,
  composer: Composer,
  "connection-banner": ConnectionBanner,
  "context-meter": ContextMeter,
  conversation: Actions,
  dialog: Dialog,
  "download-form": DownloadForm,
  "fork-form": ForkForm,
  gone: Gone,
  "history-drawer": HistoryDrawer,
  "import-form": ImportForm,
  jumps: Jumps,
  menu: Menu,
  "post-form": PostForm,
  presence: Presence,
  "read-marker": ReadMarker,
  "recovery-notice": RecoveryNotice,
  reply: Reply,
  "reset-dialog": ResetDialog,
  restores: Restores,
  search: Search,
  "session-number": SessionNumber,
  "settings-form": SettingsForm,
  shortcuts: Shortcuts,
  sidebar: Sidebar,
  standing: Standing,
  start: Start,
  "stop-button": StopButton,
  time: Time,
  title: Title,
  toasts: Toasts,
  transcript: Transcript,
  typing: Typing,
  workspaces: Workspaces,
};

function readPage() {
  const data = document.querySelector("[data-conversation]")?.dataset;
  return data
    ? {
        conversation: data.conversation,
        session: data.session,
        asOf: Number(data.asOf),
        user: data.user,
        userName: data.userName,
        isActive: data.active === "1",
        canWrite: data.canWrite === "1",
        messageBytes: Number(data.messageBytes),
        readSeq: Number(data.readSeq),
        hasOlder: data.hasOlder === "1",
        hasNewer: data.hasNewer === "1",
      }
    : null;
}

const app = new App({ page: readPage(), location, storage: localStorage });
new Behaviors(BEHAVIORS, app).watch(document.body);
openOnClick(document);
app.start();
