"""From forms to the parts that a row declares: slots, parents, effects (LANGUAGE 2)."""

from __future__ import annotations

from graphden.edn import Keyword
from graphden.edn.forms import Form, Kind
from graphden.model.rows import Name, SlotDeclaration
from graphden.model.types import ANY, Type
from graphden.read.problems import Problems, as_keyword, did_you_mean, listed, shown
from graphden.read.types import read_type

EFFECTS = frozenset({"db", "network", "io", "env", "time", "random", "process", "state"})
SLOT_KEYS = ("type", "required", "value", "lazy", "description")


def read_slots(form: Form | None, problems: Problems) -> tuple[SlotDeclaration, ...]:
    """The slots that the `:args` of a base function declare."""
    if form is None:
        return ()
    if form.kind is not Kind.MAP:
        problems.bad(
            form, ":args takes a map from slots to types", "Write {:nums [:list :numeric]}."
        )
        return ()
    found = []
    for key, value in form.entries:
        if isinstance(key.value, Keyword):
            found.append(_slot(key.value.text, key, value, problems))
        else:
            problems.bad(
                key, f"a slot is named by a keyword, not {shown(key)}", "Write :nums, say."
            )
    return tuple(found)


def _slot(name: str, key: Form, form: Form, problems: Problems) -> SlotDeclaration:
    type_form = form.get("type") if form.kind is Kind.MAP else None
    if type_form is None:
        return SlotDeclaration(name, read_type(form, problems), key.span)
    type_: Type = ANY
    default: object = None
    description = ""
    required, lazy, has_default = True, False, False
    for option, value in form.entries:
        match option.value:
            case "type":
                type_ = read_type(value, problems)
            case "required":
                required = read_flag("required", value, problems)
            case "lazy":
                lazy = read_flag("lazy", value, problems)
            case "value":
                default, has_default = value.value, True
            case "description":
                description = read_description(value, problems)
            case _:
                problems.add(
                    "unknown-key",
                    option.span,
                    f"a slot has no {shown(option)}",
                    did_you_mean(shown(option).removeprefix(":"), SLOT_KEYS)
                    or f"It may have {listed(SLOT_KEYS)}.",
                )
    return SlotDeclaration(
        name=name,
        type=type_,
        span=key.span,
        required=required and not has_default,
        default=default,
        has_default=has_default,
        lazy=lazy,
        description=description,
    )


def read_parents(
    single: Form | None, several: Form | None, problems: Problems
) -> tuple[Name, ...]:
    """The names behind `:parent` or `:parents`; none of them after a problem."""
    if single is not None:
        forms: tuple[Form, ...] = (single,)
    elif several is None:
        return ()
    elif several.kind is Kind.VECTOR and several.items:
        forms = several.items
    else:
        problems.bad(
            several,
            f":parents takes a vector of rows, not {shown(several)}",
            "Write :parents [:a :b].",
        )
        return ()
    names = []
    for form in forms:
        if isinstance(form.value, Keyword):
            names.append(Name(form.value.text, form.span))
        elif form is single and form.kind is Kind.VECTOR:
            problems.bad(
                form,
                f":parent takes the name of one row, not {shown(form)}",
                f"Several parents are :parents {shown(form)}.",
            )
        else:
            problems.bad(
                form,
                f"a parent is named by a keyword, not {shown(form)}",
                as_keyword(form, "Write the name of a row, such as :add."),
            )
    return tuple(names) if len(names) == len(forms) else ()


def read_lambda_params(form: Form | None, problems: Problems) -> tuple[Name, ...] | None:
    """The names behind `:lambda-params`; None when there are none or they are no names."""
    if form is None:
        return None
    names: dict[str, Name] = {}
    if form.kind is not Kind.VECTOR:
        problems.bad(
            form,
            f":lambda-params takes a vector of argument names, not {shown(form)}",
            "Write :lambda-params [:item], or [] for none.",
        )
        return None
    for item in form.items:
        if not isinstance(item.value, Keyword):
            problems.bad(
                item,
                f"an argument is named by a keyword, not {shown(item)}",
                as_keyword(item, "Write :lambda-params [:item], or [] for none."),
            )
            return None
        if item.value.text in names:
            problems.add(
                "invalid-lambda-params",
                item.span,
                f":lambda-params names {shown(item)} twice",
                "Each parameter of a call goes to an argument of its own.",
            )
            return None
        names[item.value.text] = Name(item.value.text, item.span)
    return tuple(names.values())


def read_effects(form: Form | None, problems: Problems) -> frozenset[str] | None:
    """The effects behind `:effects` or `:expects-effects`; None when there are none."""
    if form is None:
        return None
    if form.kind not in (Kind.SET, Kind.VECTOR):
        problems.bad(
            form, f"effects are a set, not {shown(form)}", "Write a set such as #{:db :io}."
        )
        return None
    found = set()
    for item in form.items:
        if isinstance(item.value, Keyword) and item.value in EFFECTS:
            found.add(item.value.text)
        else:
            problems.bad(
                item,
                f"there is no effect {shown(item)}",
                did_you_mean(shown(item).removeprefix(":"), sorted(EFFECTS))
                or f"There are {listed(sorted(EFFECTS))}.",
            )
    return frozenset(found)


def read_description(form: Form | None, problems: Problems) -> str:
    """The text behind `:description`."""
    if form is None:
        return ""
    if isinstance(form.value, str) and not isinstance(form.value, Keyword):
        return form.value
    problems.bad(
        form, f":description takes text, not {shown(form)}", "Write it in double quotes."
    )
    return ""


def read_flag(key: str, form: Form, problems: Problems) -> bool:
    """The boolean behind a key that takes `true` or `false`; False after a problem."""
    if isinstance(form.value, bool):
        return form.value
    problems.bad(form, f":{key} takes true or false, not {shown(form)}", f"Write :{key} true.")
    return False
