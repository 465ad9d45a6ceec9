import type { ServiceContext } from '../../../context.ts'
import type { MessageLinkToken } from '../../../lib/crypto/tokens.ts'
import { findMessage } from '../../../sending/claim/find-messages.ts'
import { renderSentMessage } from '../../actions/content/sent-content.ts'
import type { RenderMode } from '../../rendering/render.ts'
import { selectPageLanguage } from './languages.ts'
import { type RecipientPage, renderMirrorPage, renderTextMirrorPage } from './pages.ts'

/** Dependencies of the mirror page. */
type MirrorContext = Pick<ServiceContext, 'db' | 'clock' | 'tokens' | 'renders' | 'log'>

/** The kind of rendering whose links fit the token: a copy records nothing, and a proof counts as a test. */
function chooseRenderMode({ silent, test }: MessageLinkToken): RenderMode {
  if (silent) return 'copy'
  return test ? 'proof' : 'mirror'
}

/**
 * The page of a message as it was sent: its own content version with the values it used. Undefined when it was erased,
 * is past retention or was never sent.
 */
export async function renderMirror(
  context: MirrorContext,
  token: MessageLinkToken,
): Promise<RecipientPage | undefined> {
  const { db, log } = context
  const { account, contact, stamp } = token
  const sentMessage = await findMessage(db, account, stamp)
  const content =
    sentMessage && (await renderSentMessage(context, account, sentMessage, { mode: chooseRenderMode(token), contact }))
  if (!content) return undefined
  const { source, channel, rendered } = content
  if (rendered.outcome !== 'rendered') {
    log.warn({ stamp, version: sentMessage.version, outcome: rendered.outcome }, 'cannot render a mirror page')
    return undefined
  }
  const mirroredParts = channel.mirrored(rendered.parts)
  if ('html' in mirroredParts) return renderMirrorPage(mirroredParts.html)
  const { title: subject, text } = mirroredParts
  return renderTextMirrorPage({
    language: selectPageLanguage(source.settings.culture),
    account: source.account.name,
    subject,
    text,
  })
}
