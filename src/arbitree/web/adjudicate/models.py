"""Types of the JSON that the routes of the adjudication page read and return."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from arbitree.adjudication import events, history
from arbitree.adjudication.places import Sheet, Verdict
from arbitree.web.project.background import json_safe
from arbitree.web.project.blind import Mask

Text = Annotated[str, Field(max_length=4000)]


class Seen(BaseModel):
    """Fields that every change contains."""

    seen: int = Field(
        ge=0, le=2**31, description="Number of the last entry that the client has seen; 0 for none"
    )
    request: str = Field(
        min_length=8,
        max_length=64,
        description="An identifier of your choice; a repeated request counts once",
    )


class Changes(Seen):
    """Decisions on places of one item."""

    changes: dict[Text, Text] = Field(min_length=1, max_length=1000, examples=[{"3 head": "2 saw"}])
    confirm: bool = Field(
        default=False, description="Save unusual values, such as those that no annotator uses"
    )


class Cleared(Seen):
    """Places whose decisions are cleared."""

    keys: list[Text] = Field(min_length=1, max_length=1000)


class Noted(Seen):
    """A note on a place; the key "" stands for the whole item."""

    key: Text = ""
    text: Annotated[str, Field(max_length=events.LONGEST_NOTE)]


class Rejected(Seen):
    """The reason for excluding an item."""

    why: Annotated[str, Field(max_length=events.LONGEST_NOTE)] = ""


class ChoiceModel(BaseModel):
    """A value, and the annotators who gave it."""

    value: str
    coders: list[str]


class PlaceModel(BaseModel):
    """A contested place."""

    key: str
    place: str
    what: str
    words: str
    choices: list[ChoiceModel]


class DecisionModel(BaseModel):
    """The decision on a place."""

    value: str
    by: str
    at: str


class OfferModel(BaseModel):
    """Changes that would make a choice valid."""

    words: str
    changes: dict[str, str]
    confirm: bool = Field(description="Whether to send the same changes again with confirm: true")


class DeskModel(BaseModel):
    """One item with its disagreements and decisions."""

    number: int
    item: str
    seen: int
    status: str
    places: list[PlaceModel]
    decisions: dict[str, DecisionModel]
    notes: dict[str, str]
    saved: bool = True
    problem: str = ""
    offers: list[OfferModel] = []
    entails: list[str] = []


class EntryModel(BaseModel):
    """One entry of the history."""

    sequence: int
    by: str
    at: str
    action: str
    body: dict[str, object]


class ProgressModel(BaseModel):
    """The progress of adjudication."""

    items: int
    agreed: int
    to_decide: int
    decided: int
    rejected: int


def desk_model(number: int, sheet: Sheet[Any], step: events.WishOutcome, mask: Mask | None) -> DeskModel:
    """Return an item with its disagreements and decisions; *mask* hides the names of annotators."""
    state, verdict = step.state, step.verdict or Verdict({})
    values = mask.hidden(state.values) if mask else state.values
    document = {
        "number": number,
        "item": sheet.item.id,
        "seen": state.seen,
        "status": events.tally_of(sheet, state).status,
        "places": [
            {"key": each.key, "place": each.place, "what": each.what, "words": each.words}
            | {"choices": [choice._asdict() for choice in each.choices]}
            for each in sheet.places
        ],
        "decisions": {
            key: {"value": values[key], "by": each.name, "at": each.at}
            for key, each in state.decisions.items()
        },
        "notes": state.notes,
        "saved": step.saved,
        "problem": verdict.problem,
        "offers": [offer._asdict() for offer in verdict.offers],
        "entails": verdict.entails,
    }
    return DeskModel(**json_safe(document))


def entry_model(entry: history.LogEntry) -> EntryModel:
    """Return an entry of the history."""
    document = {"sequence": entry.sequence, "by": entry.name, "at": entry.at, "action": entry.action}
    return EntryModel(**json_safe(document | {"body": entry.body}))
