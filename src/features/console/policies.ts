import { createHash } from 'node:crypto'

const joinDirectives = (directives: readonly string[]): string => directives.join('; ')

/** The policy of the page: nothing from elsewhere but pictures of the account's media; inline styles by nonce alone. */
export function consolePagePolicy(nonce: string, mediaHost: string): string {
  return joinDirectives([
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob: ${mediaHost}`.trimEnd(),
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ])
}

/**
 * The script of the framed pages. It receives `{html, dark}` from the parent page, puts the message into a frame without permissions, and
 * reports its height on the port it received. The frame has no origin, so the parent page reports the available size: the rest is
 * scrolled.
 */
const FRAME_SCRIPT = `addEventListener('message', (event) => {
  if (event.source !== parent || typeof event.data?.html !== 'string') return
  const frame = document.querySelector('iframe')
  frame.title = String(event.data.title ?? '')
  document.documentElement.style.colorScheme = event.data.dark ? 'dark' : 'light'
  frame.srcdoc = event.data.html
})
parent.postMessage({ ready: 'frame' }, '*')
`

/** A page that shows a message: a static file, which takes its HTML by `postMessage` from the console alone. */
export const MESSAGE_FRAME_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Message</title>
<style>html,body{margin:0;height:100%;background:#fff}:root[style*=dark] body{background:#1b1b1b}iframe{display:block;width:100%;height:100%;border:0}</style>
</head>
<body>
<iframe sandbox="" title="" referrerpolicy="no-referrer"></iframe>
<script>${FRAME_SCRIPT}</script>
</body>
</html>
`

const SCRIPT_HASH = createHash('sha256').update(FRAME_SCRIPT).digest('base64')

/** The policy of a framed page; `pictures`: those of the internet are shown too. A `srcdoc` frame inherits it. */
export function messageFramePolicy(mediaHost: string, pictures: boolean): string {
  return joinDirectives([
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'sha256-${SCRIPT_HASH}'`,
    "style-src 'unsafe-inline'",
    `img-src data: ${pictures ? 'https: http:' : mediaHost}`.trimEnd(),
    "frame-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ])
}
