/**
 * Domains of mailboxes whose operator is known, by the name that the table of destinations has for it: what is told of an
 * address goes by its domain alone, as a relay does not say which hosts took a message. `.*`: under any country's domain.
 */
const operators: Readonly<Record<string, readonly string[]>> = {
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

const byDomain = new Map(Object.entries(operators).flatMap(([name, domains]) => domains.map((one) => [one, name])))

/** The destination that a domain of mailboxes belongs to: its operator where that is known, else the domain itself. */
export function resolveMailDestination(domain: string): string {
  return byDomain.get(domain) ?? byDomain.get(`${domain.split('.', 1)[0]}.*`) ?? domain
}
