import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { loadRobotPatterns, ROBOTS_DIRECTORY, type RobotPatterns } from '../robots/robots.ts'
import { classifyHit } from './classification.ts'

/** User agents of mail readers, image proxies of mail services, browsers and browsers within applications. */
const readers: readonly [name: string, userAgent: string][] = [
  ['Outlook 2016', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)'],
  [
    'Outlook classic',
    'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; .NET4.0C; .NET4.0E; .NET CLR 2.0.50727; .NET CLR 3.0.30729; .NET CLR 3.5.30729; Microsoft Outlook 16.0.12026; ms-office; MSOffice 16)',
  ],
  [
    'Outlook 2010',
    'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; SLCC2; .NET CLR 2.0.50727; Microsoft Outlook 14.0.7188; ms-office; MSOffice 14)',
  ],
  ['Outlook Mac', 'Microsoft Office/16.66 (Macintosh; Microsoft Outlook for Mac 16.66.22100900; Intel Mac OS X 12.6)'],
  [
    'Outlook Mac new',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) MacOutlook/16.89.24090815 (Intelx64 Mac OS X 14.6.1)',
  ],
  ['Outlook iOS', 'Outlook-iOS/723.4027091.prod.iphone (4.28.0)'],
  [
    'Outlook Android',
    'Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 PKeyAuth/1.0 Outlook-Android/2.0',
  ],
  [
    'Windows Mail',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; WebView/3.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.102 Safari/537.36 Edge/18.19045',
  ],
  ['Apple Mail', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'],
  [
    'Apple Mail iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  ],
  ['Thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0'],
  ['Thunderbird Win', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:115.0) Gecko/20100101 Thunderbird/115.14.0'],
  ['Postbox', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:78.0) Gecko/20100101 PostboxApp/7.0.60'],
  ['eM Client', 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko eMClient/9.2'],
  [
    'Evolution',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.0 Safari/605.1.15 Evolution/3.46.4',
  ],
  [
    'Geary',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Geary/44.1 Version/17.0 Safari/605.1.15',
  ],
  ['The Bat', 'The Bat! 9.3.4'],
  ['Lotus Notes', 'Mozilla/4.0 (compatible; Lotus-Notes/6.0; Windows-NT)'],
  ['Airmail', 'Airmail 5.7.1 (Macintosh; Mac OS X 13.4)'],
  ['Spark', 'Spark/3.17.6 (Macintosh; OS X 14.5)'],
  [
    'Samsung Email',
    'Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36 SamsungEmail/6.1',
  ],
  [
    'K-9',
    'Mozilla/5.0 (Linux; Android 12; Pixel 5 Build/SQ3A.220705.003; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/103.0.5060.71 Mobile Safari/537.36',
  ],
  [
    'GMX app',
    'Mozilla/5.0 (Linux; Android 13; 2201117TY Build/TKQ1.221114.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.6422.53 Mobile Safari/537.36 GMX/7.42',
  ],
  ['Gmail proxy', 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'],
  ['Yahoo proxy', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
  [
    'Chrome',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36',
  ],
  [
    'Edge',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36 Edg/129.0.0.0',
  ],
  ['Firefox', 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'],
  ['Firefox Android', 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0'],
  [
    'Safari',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15',
  ],
  [
    'Safari iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
  ],
  [
    'Safari iPad',
    'Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
  ],
  [
    'Chrome iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/129.0.6668.46 Mobile/15E148 Safari/604.1',
  ],
  [
    'Chrome Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Samsung Internet',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Opera',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/127.0.0.0 Safari/537.36 OPR/113.0.0.0',
  ],
  ['Opera Mini', 'Opera/9.80 (Android; Opera Mini/80.0/191.321; U; en) Presto/2.12.423 Version/12.16'],
  ['IE 11', 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko'],
  [
    'Silk',
    'Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/126.4.6 like Chrome/126.0.6478.122 Safari/537.36',
  ],
  [
    'UC',
    'Mozilla/5.0 (Linux; U; Android 11; en-US; RMX2185 Build/RP1A.200720.011) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.7.8.1319 Mobile Safari/537.36',
  ],
  [
    'Yandex',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 YaBrowser/24.7.0.0 Safari/537.36',
  ],
  [
    'Vivaldi',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Vivaldi/6.8.3381.44',
  ],
  [
    'DuckDuckGo',
    'Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/129.0.0.0 Mobile DuckDuckGo/5 Safari/537.36',
  ],
  [
    'Sogou',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.2623.22 Safari/537.36 SE 2.X MetaSr 1.0',
  ],
  [
    'Sogou mobile',
    'Mozilla/5.0 (Linux; Android 10; V1986A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/94.0.4606.71 Mobile Safari/537.36 SogouSearch Android1.0 version3.0',
  ],
  [
    'WeChat',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.42(0x18002a2a) NetType/WIFI Language/en',
  ],
  [
    'Facebook in-app',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21F90 [FBAN/FBIOS;FBAV/469.0.0.34.72;FBBV/611547873;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.5.1;FBSS/3;FBCR/;FBID/phone;FBLC/fr_FR;FBOP/80]',
  ],
  [
    'Instagram in-app',
    'Mozilla/5.0 (Linux; Android 13; SM-G991B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.6422.53 Mobile Safari/537.36 Instagram 332.0.0.38.90 Android (33/13; 480dpi; 1080x2176; samsung; SM-G991B; o1s; exynos2100; fr_FR; 604247864)',
  ],
  [
    'LinkedIn in-app',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.29.7962',
  ],
  [
    'Pinterest in-app',
    'Mozilla/5.0 (Linux; Android 12; SM-A515F Build/SP1A.210812.016; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.54 Mobile Safari/537.36 [Pinterest/Android]',
  ],
  [
    'Viber in-app',
    'Mozilla/5.0 (Linux; Android 11; M2003J15SC Build/RP1A.200720.011; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/123.0.6312.118 Mobile Safari/537.36 Viber/22.1.2.0',
  ],
  [
    'Google app',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/321.0.638692829 Mobile/15E148 Safari/604.1',
  ],
  [
    'Daum in-app',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.5 Mobile/15E148 Safari/604.1 DaumApps/6.8.1 DaumDevice/mobile',
  ],
  [
    'Naver in-app',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 NAVER(inapp; search; 1180; 12.0.4; 13PRO)',
  ],
  [
    'Kakao in-app',
    'Mozilla/5.0 (Linux; Android 13; SM-S908N Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/113.0.5672.131 Mobile Safari/537.36 KAKAOTALK 2410240',
  ],
  [
    'Cubot phone',
    'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Cubot phone 2',
    'Mozilla/5.0 (Linux; Android 11; Cubot Note 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0.0.0 Mobile Safari/537.36',
  ],
  [
    'ChromeOS',
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36',
  ],
  [
    'PlayStation',
    'Mozilla/5.0 (PlayStation; PlayStation 5/9.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
  ],
  [
    'Mailspring',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Mailspring/1.13.3 Chrome/91.0.4472.164 Electron/13.6.9 Safari/537.36',
  ],
  [
    'Proton Mail desktop',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ProtonMail/1.0.4 Chrome/124.0.6367.207 Electron/30.0.6 Safari/537.36',
  ],
  [
    'Superhuman',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Superhuman/1031.0.6 Chrome/122.0.6261.156 Electron/29.3.0 Safari/537.36',
  ],
  [
    'Zimbra Desktop',
    'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) ZimbraDesktop/4.29.0 Chrome/108.0.5359.215 Electron/22.3.27 Safari/537.36',
  ],
  ['BlueMail', 'BlueMail/1.9.40 (Android 13; Pixel 6)'],
  [
    'Nine',
    'Mozilla/5.0 (Linux; Android 13; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36 Ninesky-Mail/4.9',
  ],
]

let robots: RobotPatterns
before(async () => {
  robots = await loadRobotPatterns(ROBOTS_DIRECTORY)
})

suite('user agents of people, never classified as robots', () => {
  for (const [name, userAgent] of readers)
    test(name, () => {
      for (const type of ['open', 'redirection'] as const) {
        const hit = { type, method: 'GET', address: '198.51.100.7', userAgent, headers: {} }
        assert.equal(classifyHit(robots, hit).classification, null, type)
      }
    })
})
