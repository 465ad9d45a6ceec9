/** The device and program that read a message, by the user agent: `os` and `client` are short names, or null. */
export interface UserAgentDevice {
  type: 'desktop' | 'phone' | 'tablet' | 'server' | 'unknown'
  os: string | null
  client: string | null
}

/** A pattern and the name it gives; a group of the pattern is the version that follows the name. */
type NamedPattern = readonly [pattern: RegExp, name: string]

/** The first that matches. Version numbers keep two parts at most. */
const systemPatterns: readonly NamedPattern[] = [
  [/\bWindows Phone(?: OS)?(?: (\d+(?:\.\d+)?))?/, 'Windows Phone'],
  [/\bWindows NT 10\.0/, 'Windows 10'],
  [/\bWindows NT 6\.3/, 'Windows 8.1'],
  [/\bWindows NT 6\.2/, 'Windows 8'],
  [/\bWindows NT 6\.1/, 'Windows 7'],
  [/\bWindows\b/, 'Windows'],
  [/\biPad;.{0,300}?\bOS (\d+(?:_\d+)?)/, 'iPadOS'],
  [/\b(?:iPhone|iPod)\b.{0,300}?\bOS (\d+(?:_\d+)?)/, 'iOS'],
  [/\b(?:iPhone|iPod|iOS)\b/, 'iOS'],
  [/\bAndroid (\d+(?:\.\d+)?)/, 'Android'],
  [/\bAndroid\b/, 'Android'],
  [/\bMac OS X (\d+[_.]\d+)/, 'macOS'],
  [/\b(?:Macintosh|Mac OS X|Darwin)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const clientPatterns: readonly NamedPattern[] = [
  [/\bGoogleImageProxy\b|\bggpht\.com\b/, 'Gmail'],
  [/\bYahooMailProxy\b/, 'Yahoo Mail'],
  [/\bMicrosoft Outlook\b|\bOutlook-(?:iOS|Android)\b|\bms-office\b|\bMSOffice\b/i, 'Outlook'],
  [/\bThunderbird\b/, 'Thunderbird'],
  [/\bLotus-Notes\b/, 'Notes'],
  [/\bAirmail\b/, 'Airmail'],
  [/\bEdgA?(?:iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bTrident\/|\bMSIE /, 'Internet Explorer'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]{1,20} .{0,300}\bSafari\//, 'Safari'],
  // A web view of Apple without a browser's name is the mail reader.
  [/\b(?:Macintosh|iPhone|iPad)\b.{0,300}\bAppleWebKit\//, 'Apple Mail'],
  [/\bcurl\//, 'curl'],
  [/\bWget\//, 'Wget'],
  [/\bpython-requests\b|\bPython-urllib\b|\baiohttp\b|\bpython-httpx\b/i, 'Python'],
  [/\bGo-http-client\b/, 'Go'],
  [/\bokhttp\b|\bApache-HttpClient\b|^Java\//i, 'Java'],
  [/\bnode-fetch\b|\baxios\b|\bundici\b/i, 'Node.js'],
]

const serverPattern =
  /GoogleImageProxy|ggpht\.com|YahooMailProxy|bot\b|crawler|spider|scanner|^(?:curl|Wget|python|Go-http|Java|okhttp|Apache-HttpClient|axios|node)\b/i
const tabletPattern = /\biPad\b|\bTablet\b|\bKindle\b|\bSilk\/|\bAndroid(?!.{0,300}\bMobile\b)/
const phonePattern = /\biPhone\b|\biPod\b|\bAndroid\b|\bWindows Phone\b|\bMobile\b|\biOS\b/
const desktopPattern =
  /\bWindows\b|\bMacintosh\b|\bMac OS X\b|\bX11\b|\bLinux\b|\bCrOS\b|\bMicrosoft Outlook\b|\bThunderbird\b/

function findName(table: readonly NamedPattern[], agent: string): string | null {
  for (const [pattern, name] of table) {
    const match = pattern.exec(agent)
    if (match) return match[1] === undefined ? name : `${name} ${match[1].replace('_', '.')}`
  }
  return null
}

function detectDeviceType(agent: string): UserAgentDevice['type'] {
  if (serverPattern.test(agent)) return 'server'
  if (tabletPattern.test(agent)) return 'tablet'
  if (phonePattern.test(agent)) return 'phone'
  return desktopPattern.test(agent) ? 'desktop' : 'unknown'
}

/** The device of a user agent; the client may send anything, so this is a guess. */
export function parseUserAgent(agent: string | null): UserAgentDevice {
  if (agent === null) return { type: 'unknown', os: null, client: null }
  return { type: detectDeviceType(agent), os: findName(systemPatterns, agent), client: findName(clientPatterns, agent) }
}
