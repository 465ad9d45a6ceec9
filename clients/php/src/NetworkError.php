<?php

declare(strict_types=1);

namespace Stentor;

/** No answer came: the address is wrong, the connection failed, or the service was silent for too long. */
final class NetworkError extends \RuntimeException
{
}
