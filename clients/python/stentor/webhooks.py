"""Verification of webhooks (Standard Webhooks 1.0)."""

import binascii
import hashlib
import hmac
import json
from base64 import b64decode
from dataclasses import dataclass
from time import time
from typing import Any, Iterable, Mapping, Union

_PREFIX = 'whsec_'
_VERSION = 'v1,'


class WebhookError(Exception):
    """A request that is not from the webhook with this secret, or too old. Answer it with 401."""


@dataclass
class WebhookDelivery:
    """A verified delivery. `id` is the same on every try: what was done for one is not done again."""

    id: str
    type: str
    timestamp: str
    data: Any


def verify_webhook(
    headers: Mapping[str, str],
    body: Union[bytes, str],
    secret: Union[str, Iterable[str]],
    tolerance: float = 300,
) -> WebhookDelivery:
    """Verifies the signature of a webhook in constant time, and returns what it delivers.

    `body` is the body as it came, not parsed. `secret` is `whsec_…`, or several during a rotation. `tolerance` is how far the
    time of the request may be from now, in seconds. Raises `WebhookError`.
    """
    given = {name.lower(): value for name, value in headers.items()}
    identifier = _get_header(given, 'webhook-id')
    sent_at = _get_header(given, 'webhook-timestamp')
    signatures = [
        signature[len(_VERSION) :]
        for signature in _get_header(given, 'webhook-signature').split(' ')
        if signature.startswith(_VERSION)
    ]
    if not (sent_at.isascii() and sent_at.isdigit()) or abs(time() - int(sent_at)) > tolerance:
        raise WebhookError('The time of the request is too far from now.')
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f'{identifier}.{sent_at}.'.encode() + raw
    keys = [_decode_secret(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not any([_is_signed_by(key, signed, signature) for key in keys for signature in signatures]):
        raise WebhookError('No signature of the request is of the secret.')
    delivery = json.loads(raw)
    return WebhookDelivery(identifier, delivery.get('type', ''), delivery.get('timestamp', ''), delivery.get('data'))


def _get_header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookError(f'The request has no header {name}.')
    return value


def _decode_secret(secret: str) -> bytes:
    try:
        key = b64decode(secret[len(_PREFIX) :], validate=True) if secret.startswith(_PREFIX) else b''
    except binascii.Error:
        key = b''
    if not key:
        raise ValueError('The secret of a webhook is "whsec_" and base64.')
    return key


def _is_signed_by(key: bytes, signed: bytes, signature: str) -> bool:
    try:
        given = b64decode(signature, validate=True)
    except binascii.Error:
        return False
    return hmac.compare_digest(hmac.new(key, signed, hashlib.sha256).digest(), given)
