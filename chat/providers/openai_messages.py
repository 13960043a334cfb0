"""Turns a prompt into the body of a chat completion."""

from __future__ import annotations

from typing import assert_never

from chat.events import Asked, Prompt, Replied, Returned, Text, ToolCall, ToolSpec
from chat.providers.base import ProviderSettings
from chat.providers.history import arguments_text, prepared

Message = dict[str, object]

# These refuse the older name of the limit for their newer models; most others know only the older one.
HOSTS_WITH_NEWER_LIMIT = ("api.openai.com", ".openai.azure.com")


def completion_body(prompt: Prompt, settings: ProviderSettings, host: str) -> dict[str, object]:
    messages = chat_messages(prompt)
    body: dict[str, object] = {
        "model": settings.model,
        "messages": messages,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if settings.most_output_tokens:
        newer = host.endswith(HOSTS_WITH_NEWER_LIMIT)
        body["max_completion_tokens" if newer else "max_tokens"] = settings.most_output_tokens
    if prompt.tools:
        body["tools"] = [tool_description(tool) for tool in prompt.tools]
    if prompt.continues and settings.can_continue and messages[-1:] and messages[-1]["role"] == "assistant":
        # vLLM goes on with the last message only when told to; llama.cpp does so by itself.
        body |= {"continue_final_message": True, "add_generation_prompt": False}
    return body


def chat_messages(prompt: Prompt) -> list[Message]:
    """Neighbours of one role are joined: many models' templates want the roles to alternate."""
    messages: list[Message] = []
    if prompt.system:
        messages.append({"role": "system", "content": prompt.system})
    for message in prepared(prompt.messages):
        match message:
            case Asked():
                add(messages, {"role": "user", "content": message.text}, between="\n\n")
            case Replied():
                add(messages, assistant_message(message), between="")
            case Returned():
                messages.append({"role": "tool", "tool_call_id": message.id, "content": message.output})
            case _:
                assert_never(message)
    return messages


def add(messages: list[Message], message: Message, *, between: str) -> None:
    if not message["content"] and "tool_calls" not in message and message["role"] == "assistant":
        return  # only reasoning, which is not sent back
    last = messages[-1] if messages else {}
    if last.get("role") == message["role"] and "tool_calls" not in last:
        last["content"] = f"{last['content']}{between}{message['content']}"
        last |= {name: value for name, value in message.items() if name == "tool_calls"}
    else:
        messages.append(message)


def assistant_message(message: Replied) -> Message:
    text = "".join(part.text for part in message.parts if isinstance(part, Text))
    calls = [part for part in message.parts if isinstance(part, ToolCall)]
    return {"role": "assistant", "content": text} | (
        {"tool_calls": [call_made(call) for call in calls]} if calls else {}
    )


def call_made(call: ToolCall) -> Message:
    function = {"name": call.name, "arguments": arguments_text(call)}
    return {"id": call.id, "type": "function", "function": function}


def tool_description(tool: ToolSpec) -> Message:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}
