"""The client of Stentor, a self-hosted marketing communication service."""

from .client import Response, Stentor
from .errors import StentorError
from .webhooks import WebhookDelivery, WebhookError, verify_webhook

__all__ = [
    'Response',
    'Stentor',
    'StentorError',
    'WebhookDelivery',
    'WebhookError',
    'verify_webhook',
]
__version__ = '8.1.0'
