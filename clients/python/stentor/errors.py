"""Errors of the service."""

from email.utils import parsedate_to_datetime
from time import time
from typing import Any, Mapping, Optional

_PREFIX = 'urn:stentor:problem:'


class StentorError(Exception):
    """What the service refused, and why (RFC 9457). Failures of the network are raised as `OSError`.

    `kind` is the last part of `type`, such as `unicity-taken`. `detail` says what to change, `errors` lists the faults of a
    body, `instance` is the ID of the request in the log of the service, and `problem` has all members.
    """

    def __init__(self, problem: Mapping[str, Any], retry_after: Optional[float] = None) -> None:
        self.problem = dict(problem)
        self.status = int(problem['status'])
        self.type = str(problem['type'])
        self.kind = self.type[len(_PREFIX) :] if self.type.startswith(_PREFIX) else self.type
        self.title = str(problem.get('title', ''))
        self.detail = str(problem.get('detail', ''))
        self.errors = list(problem.get('errors', []))
        self.instance = problem.get('instance')
        self.retry_after = retry_after
        super().__init__(f'{self.status} {self.title}: {self.detail}')


def read_retry_after(value: Optional[str]) -> Optional[float]:
    """The seconds that `Retry-After` asks for, of seconds or of a date (RFC 9110, 10.2.3)."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (TypeError, ValueError):
        return None


def build_error(status: int, reason: str, headers: Mapping[str, str], body: Any) -> StentorError:
    """The error of an answer. What is no problem, such as the page of a proxy, becomes one of type `about:blank`."""
    retry_after = read_retry_after(headers.get('Retry-After'))
    if isinstance(body, dict) and 'type' in body and 'status' in body:
        return StentorError(body, retry_after)
    title = reason or 'Refused'
    detail = body[:200] if isinstance(body, str) and body else title
    problem = {'type': 'about:blank', 'title': title, 'status': status, 'detail': detail}
    if headers.get('X-Request-Id'):
        problem['instance'] = headers['X-Request-Id']
    return StentorError(problem, retry_after)
