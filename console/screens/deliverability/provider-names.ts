/** Names of mailbox providers, by the names of the API. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  gmail: 'Gmail',
  yahoo: 'Yahoo',
  microsoft: 'Microsoft',
  apple: 'Apple',
  orange: 'Orange',
  laposte: 'La Poste',
  free: 'Free',
  sfr: 'SFR',
  proton: 'Proton',
  gmx: 'GMX',
  'web.de': 'WEB.DE',
  't-online': 'T-Online',
  ionos: 'IONOS',
  mailru: 'Mail.ru',
  yandex: 'Yandex',
  libero: 'Libero',
  ovh: 'OVHcloud',
  gandi: 'Gandi',
  zoho: 'Zoho',
  fastmail: 'Fastmail',
  proofpoint: 'Proofpoint',
  mimecast: 'Mimecast',
  barracuda: 'Barracuda',
  cisco: 'Cisco',
  broadcom: 'Broadcom',
  tencent: 'Tencent',
}

/** Name of a provider as people know it; a domain stays as it is. */
export const nameProvider = (destination: string): string => PROVIDER_NAMES[destination] ?? destination
