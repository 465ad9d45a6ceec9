/**
 * Domains of mailboxes whose operator is known, by its name in the table of destinations. Reports go by the domain of an address alone, as
 * a relay does not report the hosts that accepted a message. `.*`: under the domain of any country.
 */
const operatorDomains: Readonly<Record<string, readonly string[]>> = {
  gmail: ['gmail.com', 'googlemail.com'],
  yahoo: ['yahoo.*', 'ymail.com', 'rocketmail.com', 'aol.com', 'aol.fr'],
  microsoft: ['hotmail.*', 'outlook.*', 'live.*', 'msn.com', 'windowslive.com'],
  apple: ['icloud.com', 'me.com', 'mac.com'],
  orange: ['orange.fr', 'wanadoo.fr'],
  laposte: ['laposte.net'],
  free: ['free.fr', 'libertysurf.fr', 'aliceadsl.fr'],
  sfr: ['sfr.fr', 'neuf.fr', 'cegetel.net', 'club-internet.fr', '9online.fr'],
  proton: ['proton.me', 'protonmail.com', 'pm.me'],
  gmx: ['gmx.*', 'mail.com'],
  'web.de': ['web.de'],
  't-online': ['t-online.de', 'magenta.de'],
  mailru: ['mail.ru', 'inbox.ru', 'list.ru', 'bk.ru'],
  yandex: ['yandex.*', 'ya.ru'],
  libero: ['libero.it', 'iol.it', 'inwind.it', 'blu.it'],
  zoho: ['zoho.com', 'zohomail.com', 'zohomail.eu'],
  fastmail: ['fastmail.com', 'fastmail.fm'],
  tencent: ['qq.com', 'foxmail.com'],
}

const operatorByDomain = new Map(
  Object.entries(operatorDomains).flatMap(([name, domains]) => domains.map((mailboxDomain) => [mailboxDomain, name])),
)

/** The destination that a domain of mailboxes belongs to: its operator where that is known, else the domain itself. */
export function resolveMailDestination(domain: string): string {
  return operatorByDomain.get(domain) ?? operatorByDomain.get(`${domain.split('.', 1)[0]}.*`) ?? domain
}
