/** The push services of browsers: a host, or with a leading dot every host below it. */
export const WEB_PUSH_HOSTS: readonly string[] = [
  'fcm.googleapis.com',
  'android.googleapis.com',
  '.push.services.mozilla.com',
  '.notify.windows.com',
  '.push.apple.com',
]

/** Reads hosts separated by commas: `fcm.googleapis.com, .push.apple.com`. Throws Error. */
export function parseWebPushHosts(text: string): string[] {
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '')
  const isHost = (host: string) => /^\.?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i.test(host)
  if (hosts.length === 0 || !hosts.every(isHost))
    throw new Error('must be hosts such as fcm.googleapis.com or .push.apple.com, separated by commas')
  return hosts.map((host) => host.toLowerCase())
}

/** Returns true if an address is https on one of these hosts, so that nothing else is ever called for a browser's subscription. */
export function isWebPushAddress(text: string, hosts: readonly string[]): boolean {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  return hosts.some((host) => url.host === host || (host.startsWith('.') && url.host.endsWith(host)))
}
