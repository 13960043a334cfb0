"""What Holdfast remembers, one file a noun."""

from sessions_app.models.agent import AfterInterruption, Agent
from sessions_app.models.audit import (
    Action,
    AuditChain,
    AuditEntry,
    PurgePermit,
    SecurityEvent,
    Trigger,
)
from sessions_app.models.checkpoint import Checkpoint, CheckpointKind
from sessions_app.models.conversation import Answers, Conversation, Grant, Level, Openness, PersonalState
from sessions_app.models.event import EventKind, SessionEvent
from sessions_app.models.instance import Instance
from sessions_app.models.invitation import Invitation
from sessions_app.models.message import Message, MessageRole
from sessions_app.models.search import IndexedSession, IndexedTitle
from sessions_app.models.session import Session
from sessions_app.models.tool_server import ToolListing, ToolServer
from sessions_app.models.turn import Turn, TurnState
from sessions_app.models.user import User
from sessions_app.models.workspace import MANAGERS, Membership, Removal, Role, Workspace

__all__ = [
    "MANAGERS",
    "Action",
    "AfterInterruption",
    "Agent",
    "Answers",
    "AuditChain",
    "AuditEntry",
    "Checkpoint",
    "CheckpointKind",
    "Conversation",
    "EventKind",
    "Grant",
    "IndexedSession",
    "IndexedTitle",
    "Instance",
    "Invitation",
    "Level",
    "Membership",
    "Message",
    "MessageRole",
    "Openness",
    "PersonalState",
    "PurgePermit",
    "Removal",
    "Role",
    "SecurityEvent",
    "Session",
    "SessionEvent",
    "ToolListing",
    "ToolServer",
    "Trigger",
    "Turn",
    "TurnState",
    "User",
    "Workspace",
]
