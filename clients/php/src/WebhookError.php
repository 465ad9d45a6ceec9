<?php

declare(strict_types=1);

namespace Stentor;

/** A request that is not from the webhook with this secret, or too old. Answer it with 401. */
final class WebhookError extends \RuntimeException
{
}
