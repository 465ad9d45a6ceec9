import { isatty } from 'node:tty'
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { redactLogText, toLoggableError } from './lib/errors/safe-error.ts'

/** The printer of readable lines, loaded only if standard error is a terminal: descriptor 2 says so in threads too, unlike `process.stderr`. */
const pretty = isatty(2) ? (await import('pino-pretty')).default : undefined

/** Members that may hold an address, a key or a body are not logged. */
const SECRET = ['key', 'password', 'authorization', 'req.headers', '*.password', '*.secret', 'headers["x-key"]']

/** An error that is the only argument would become the message of the line unredacted. */
function withoutValues([first, ...rest]: unknown[]): unknown[] {
  const words = rest.map((word) => (typeof word === 'string' ? redactLogText(word) : word))
  if (first instanceof Error) return [{ err: first }, ...(words.length > 0 ? words : [first.name])]
  return [typeof first === 'string' ? redactLogText(first) : first, ...words]
}

function optionsOf(level: string): LoggerOptions {
  return {
    level,
    redact: { paths: SECRET, remove: true },
    serializers: { err: toLoggableError, error: toLoggableError, reason: toLoggableError },
    hooks: {
      logMethod(words, method) {
        method.apply(this, withoutValues(words) as typeof words)
      },
    },
  }
}

/** Structured lines on standard error, or where `destination` takes them; readable ones when that is a terminal. */
export function createLogger({ logLevel }: { logLevel: string }, destination?: DestinationStream): Logger {
  const options = optionsOf(logLevel)
  if (destination) return pino(options, destination)
  return pretty
    ? pino(options, pretty({ colorize: true, destination: 2, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' }))
    : pino(options, pino.destination(2))
}
