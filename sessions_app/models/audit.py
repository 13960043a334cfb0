"""Who changed which pointer, through which door, when and why. Append-only and hash-chained."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Exists, OuterRef, Q

from sessions_app.models.conversation import Conversation
from sessions_app.models.workspace import Membership, Workspace

if TYPE_CHECKING:
    from sessions_app.models.user import User


class Trigger(models.TextChoices):
    """The doors through which a pointer may move. Recovery is not one of them."""

    PAGE = "page"
    MENU = "menu"
    REST = "rest"
    ADMIN = "admin"
    COMMAND = "command"
    EDIT = "edit"
    FORK = "fork"
    RESTORE = "restore"
    UNDO = "undo"
    IMPORT = "import"


class Action(models.TextChoices):
    START = "start"
    RESET = "reset"
    RESTORE_SESSION = "restore_session"
    RESTORE_CHECKPOINT = "restore_checkpoint"
    FORK = "fork"
    UNDO = "undo"
    ARCHIVE = "archive"
    UNARCHIVE = "unarchive"
    DELETE = "delete"
    UNDELETE = "undelete"
    CHANGE_OPENNESS = "change_openness"
    GRANT_ACCESS = "grant_access"
    REVOKE_ACCESS = "revoke_access"
    PURGE = "purge"
    OPEN_TRANSCRIPT = "open_transcript"
    RELEASE_TURN = "release_turn"
    EXPORT_AUDIT = "export_audit"
    EXPORT_CONVERSATION = "export_conversation"
    IMPORT_CONVERSATION = "import_conversation"
    CREATE_AGENT = "create_agent"
    CHANGE_AGENT = "change_agent"
    CREATE_TOOL_SERVER = "create_tool_server"
    CHANGE_TOOL_SERVER = "change_tool_server"
    LIST_TOOLS = "list_tools"
    ROTATE_KEYS = "rotate_keys"


class SecurityEvent(models.TextChoices):
    """What the instance's own chain tells of who comes in."""

    SIGNED_IN = "signed_in"
    SIGN_IN_FAILED = "sign_in_failed"
    LOCKED_OUT = "locked_out"
    SIGNED_OUT = "signed_out"
    SIGNED_OUT_ELSEWHERE = "signed_out_elsewhere"
    SIGNED_OUT_EVERYWHERE = "signed_out_everywhere"
    SIGNED_UP = "signed_up"
    PASSWORD_CHANGED = "password_changed"
    PASSWORD_RESET_ASKED = "password_reset_asked"
    EMAIL_ADDED = "email_added"
    EMAIL_CONFIRMED = "email_confirmed"
    EMAIL_CHANGED = "email_changed"
    EMAIL_REMOVED = "email_removed"
    SECOND_FACTOR_ADDED = "second_factor_added"
    SECOND_FACTOR_REMOVED = "second_factor_removed"
    RECOVERY_CODES_MADE = "recovery_codes_made"
    RECOVERY_CODE_USED = "recovery_code_used"
    CODE_REFUSED = "code_refused"
    ACCOUNT_LINKED = "account_linked"
    ACCOUNT_UNLINKED = "account_unlinked"
    OWNER_CREATED = "owner_created"
    TOKEN_MADE = "token_made"
    TOKEN_REVOKED = "token_revoked"
    WORKSPACE_CREATED = "workspace_created"
    WORKSPACE_RENAMED = "workspace_renamed"
    INVITED = "invited"
    INVITATION_REVOKED = "invitation_revoked"
    MEMBER_JOINED = "member_joined"
    ROLE_CHANGED = "role_changed"
    MEMBER_REMOVED = "member_removed"
    MEMBER_LEFT = "member_left"
    OWNERSHIP_HANDED_OVER = "ownership_handed_over"


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    def visible_to(self, user: User) -> AuditEntryQuerySet:
        """Entries of one's teams, and of conversations one may see. Those of a purged one stay for who manages
        its team; plain ids decide, because they outlive what they name."""
        managed = Membership.objects.managing().filter(user_id=user.pk)
        is_kept = Exists(Conversation.objects.filter(pk=OuterRef("conversation_id")))
        return self.filter(
            Q(conversation_id=None)
            | Q(conversation_id__in=Conversation.objects.visible_to(user).values("pk"))
            | Q(~is_kept, workspace_id__in=managed.values("workspace_id")),
            workspace_id__in=Workspace.objects.visible_to(user).values("pk"),
        )

    def pointer_moves(self) -> AuditEntryQuerySet:
        return self.filter(new_session_id__isnull=False)


class AuditEntry(models.Model):
    """Plain ids, no foreign keys: an entry outlives what it speaks of.

    `facts` is canonical JSON with public ids only, and is what the digest covers, so that the chain reads the
    same on another instance; `verify` compares the plain ids with it.
    """

    chain = models.CharField(max_length=60)
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=30)
    trigger = models.CharField(max_length=10, choices=Trigger.choices)
    workspace_id = models.BigIntegerField(null=True, db_index=True)
    conversation_id = models.BigIntegerField(null=True, db_index=True)
    old_session_id = models.BigIntegerField(null=True)
    new_session_id = models.BigIntegerField(null=True)
    actor_id = models.BigIntegerField(null=True)
    idempotency_key = models.CharField(max_length=100, null=True)  # noqa: DJ001 - null is "none"
    facts = models.TextField()
    at = models.DateTimeField()
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_audit_entry"
        verbose_name_plural = "audit entries"
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="one_audit_entry_per_number"),
            models.UniqueConstraint(fields=["chain", "idempotency_key"], name="one_audit_entry_per_key"),
            models.CheckConstraint(condition=Q(pk__gt=Conversation.NOWHERE), name="entry_id_is_somewhere"),
            models.CheckConstraint(condition=Q(trigger__in=Trigger.values), name="audit_trigger_known"),
        ]

    def __str__(self) -> str:
        return f"{self.action} ({self.chain} {self.number})"

    @property
    def told(self) -> dict[str, Any]:
        """The facts as a dictionary."""
        facts: dict[str, Any] = json.loads(self.facts)
        return facts


class AuditChain(models.Model):
    """The head of one chain: locking it orders its writers, its length shows a cut-off end."""

    name = models.CharField(max_length=60, unique=True)
    length = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True)

    class Meta:
        db_table = "holdfast_audit_chain"

    def __str__(self) -> str:
        return self.name


class PurgePermit(models.Model):
    """What the delete guards look for. `outlives` names no row, so a commit that leaves a permit is refused."""

    conversation_id = models.BigIntegerField(unique=True)
    entry = models.ForeignKey(AuditEntry, models.PROTECT, related_name="+")
    outlives = models.ForeignKey(AuditEntry, models.PROTECT, default=Conversation.NOWHERE, related_name="+")

    class Meta:
        db_table = "holdfast_purge_permit"
        constraints = [
            models.CheckConstraint(
                condition=Q(outlives=Conversation.NOWHERE), name="permit_cannot_be_committed"
            ),
        ]

    def __str__(self) -> str:
        return f"permit to purge conversation {self.conversation_id}"
