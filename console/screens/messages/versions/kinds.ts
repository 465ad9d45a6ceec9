import { lazy } from 'react'
import { setPointerValue } from '../../../components/form/pointers.ts'
import type { ApiAction } from '../action.ts'
import type { ApiRcsAction } from '../rcs/rcs-kind.ts'
import type { ContentVersionKind, VersionOwnContent } from '../write/channel.ts'

const EmailFields = lazy(() => import('./EmailVersion.tsx').then((module) => ({ default: module.EmailVersion })))
const SmsFields = lazy(() => import('./SmsVersion.tsx').then((module) => ({ default: module.SmsVersion })))
const RcsFields = lazy(() =>
  import('../rcs/RcsContentEditor.tsx').then((module) => ({ default: module.RcsContentFields })),
)

const FROM = '/content/headers/from'

interface EmailOwn {
  subject?: string | null
  from?: Partial<NonNullable<ApiAction['content']['headers']>['from']>
  content?: Partial<Pick<ApiAction['content'], 'html' | 'text'>>
}

/** Where a member of an email stands in a version of it. */
const ofEmail = (pointer: string): string =>
  pointer.startsWith(FROM) ? pointer.replace(FROM, '/from') : pointer.replace(/^\/content\/subject/, '/subject')

const without = (own: VersionOwnContent, pointer: string): VersionOwnContent => {
  const [, member = ''] = pointer.split('/')
  const { [member]: _, ...others } = own
  return others
}

/** Of an email subject, sender, and HTML and text; a design is of the campaign's own HTML. */
export const emailVersionKind: ContentVersionKind<ApiAction> = {
  Fields: EmailFields,
  hasOpens: true,
  faultAt: ofEmail,
  of(message, given) {
    const { subject, from, content = {} } = given as EmailOwn
    const { design, ...own } = message.content
    const headers = own.headers && from ? { headers: { ...own.headers, from: { ...own.headers.from, ...from } } } : {}
    return {
      ...message,
      informations: { ...message.informations, lastValidation: null },
      content: {
        ...own,
        ...content,
        ...(subject !== undefined && { subject }),
        ...headers,
        ...(design && content.html === undefined && { design }),
      },
    }
  },
  with(_, own, { pointer, value }) {
    const at = ofEmail(pointer)
    if (!/^\/(subject|from|content)\b/.test(at) || at === '/content/design') return undefined
    return value === undefined ? without(own, at) : setPointerValue(own, at, value)
  },
}

/** Of an SMS its text. */
export const smsVersionKind: ContentVersionKind<ApiAction> = {
  Fields: SmsFields,
  hasOpens: false,
  faultAt: (pointer) => pointer,
  of: (message, own) => ({
    ...message,
    informations: { ...message.informations, lastValidation: null },
    content: { ...message.content, ...(own['content'] as Partial<ApiAction['content']> | undefined) },
  }),
  with: (_, own, { pointer, value }) =>
    pointer === '/content/textContent' ? setPointerValue(own, pointer, value) : undefined,
}

/** Of a rich message a whole content. */
export const rcsVersionKind: ContentVersionKind<ApiRcsAction> = {
  Fields: RcsFields,
  hasOpens: true,
  faultAt: (pointer) => pointer,
  of: (message, own) => ({ ...message, content: (own['content'] as ApiRcsAction['content']) ?? message.content }),
  with: ({ content }, own, { pointer, value }) =>
    pointer.startsWith('/content') ? setPointerValue({ ...own, content }, pointer, value) : undefined,
}
