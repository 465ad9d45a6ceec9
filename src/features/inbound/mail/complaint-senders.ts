/**
 * The domains that sign the complaint reports of feedback loops, with their subdomains. Their reports are trusted when
 * they name an address and nothing else.
 */
const DOMAINS: readonly string[] = [
  'abusix.com',
  'aol.com',
  'bluewin.ch',
  'cloudmark.com',
  'comcast.net',
  'cox.net',
  'fastmail.com',
  'gmx.net',
  'hotmail.com',
  'italiaonline.it',
  'laposte.net',
  'libero.it',
  'mail.ru',
  'outlook.com',
  'rackspace.com',
  'returnpath.net',
  'senderscore.net',
  'seznam.cz',
  'signal-spam.fr',
  'swisscom.ch',
  'telenor.net',
  'terra.com.br',
  'uol.com.br',
  'validity.com',
  'web.de',
  'yahoo.com',
  'yahooinc.com',
  'yandex.ru',
  'ziggo.nl',
]

/** Whether a domain (lower case) is that of a known feedback loop, or below one. */
export function isComplaintSender(domain: string): boolean {
  return DOMAINS.some((known) => domain === known || domain.endsWith(`.${known}`))
}
