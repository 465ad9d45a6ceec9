/**
 * The domains that sign the complaint reports of those who run feedback loops. Such a report is believed when it names
 * an address and nothing else; one signed by a domain below one of these too.
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
