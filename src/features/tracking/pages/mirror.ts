import type { Context } from '../../../context.ts'
import type { Token } from '../../../lib/crypto/tokens.ts'
import { findMessage } from '../../../sending/claim/find-messages.ts'
import { renderSent } from '../../actions/content/sent-content.ts'
import type { Mode } from '../../rendering/render.ts'
import { languageOf } from './languages.ts'
import { mirrorPage, type Page, textPage } from './pages.ts'

/** Dependencies of the mirror page. */
type MirrorContext = Pick<Context, 'db' | 'clock' | 'tokens' | 'renders' | 'log'>

/** The kind of rendering whose links fit the token: a copy records nothing, and a proof counts as a test. */
function modeOf({ silent, test }: Token): Mode {
  if (silent) return 'copy'
  return test ? 'proof' : 'mirror'
}

/**
 * The page of a message as it was sent: its own content version with the values it used. Undefined when it was erased,
 * is past retention or was never sent.
 */
export async function makeMirror(context: MirrorContext, token: Token): Promise<Page | undefined> {
  const { db, log } = context
  const { account, contact, stamp } = token
  const sent = await findMessage(db, account, stamp)
  const content = sent && (await renderSent(context, account, sent, { mode: modeOf(token), contact }))
  if (!content) return undefined
  const { source, channel, rendered } = content
  if (rendered.outcome !== 'rendered') {
    log.warn({ stamp, version: sent.version, outcome: rendered.outcome }, 'cannot render a mirror page')
    return undefined
  }
  const shown = channel.mirrored(rendered.parts)
  if ('html' in shown) return mirrorPage(shown.html)
  const { title: subject, text } = shown
  return textPage({ language: languageOf(source.settings.culture), account: source.account.name, subject, text })
}
