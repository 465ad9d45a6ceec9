/**
 * The domains that sign the complaint reports of feedback loops, with their subdomains. Their reports are trusted when
 * they name an address and nothing else.
 */
const FEEDBACK_LOOP_DOMAINS: readonly string[] = [
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

/** True if a domain (lower case) is that of a known feedback loop, or a subdomain of one. */
export function isComplaintSender(domain: string): boolean {
  return FEEDBACK_LOOP_DOMAINS.some((loopDomain) => domain === loopDomain || domain.endsWith(`.${loopDomain}`))
}
