import { lazy } from 'react'
import { withValue } from '../../../components/form/pointers.ts'
import type { Action } from '../action.ts'
import type { RcsAction } from '../rcs/rcs-kind.ts'
import type { OwnContent, VersionKind } from '../write/channel.ts'

const EmailFields = lazy(() => import('./EmailVersion.tsx').then((module) => ({ default: module.EmailVersion })))
const SmsFields = lazy(() => import('./SmsVersion.tsx').then((module) => ({ default: module.SmsVersion })))
const RcsFields = lazy(() => import('../rcs/RcsContent.tsx').then((module) => ({ default: module.RcsContentFields })))

const FROM = '/content/headers/from'

interface EmailOwn {
  subject?: string | null
  from?: Partial<NonNullable<Action['content']['headers']>['from']>
  content?: Partial<Pick<Action['content'], 'html' | 'text'>>
}

/** Where a member of an email stands in a version of it. */
const ofEmail = (pointer: string): string =>
  pointer.startsWith(FROM) ? pointer.replace(FROM, '/from') : pointer.replace(/^\/content\/subject/, '/subject')

const without = (own: OwnContent, pointer: string): OwnContent => {
  const [, member = ''] = pointer.split('/')
  const { [member]: _, ...others } = own
  return others
}

/** Of an email subject, sender, and HTML and text; a design is of the campaign's own HTML. */
export const emailVersions: VersionKind<Action> = {
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
    return value === undefined ? without(own, at) : withValue(own, at, value)
  },
}

/** Of an SMS its text. */
export const smsVersions: VersionKind<Action> = {
  Fields: SmsFields,
  hasOpens: false,
  faultAt: (pointer) => pointer,
  of: (message, own) => ({
    ...message,
    informations: { ...message.informations, lastValidation: null },
    content: { ...message.content, ...(own['content'] as Partial<Action['content']> | undefined) },
  }),
  with: (_, own, { pointer, value }) =>
    pointer === '/content/textContent' ? withValue(own, pointer, value) : undefined,
}

/** Of a rich message a whole content. */
export const rcsVersions: VersionKind<RcsAction> = {
  Fields: RcsFields,
  hasOpens: true,
  faultAt: (pointer) => pointer,
  of: (message, own) => ({ ...message, content: (own['content'] as RcsAction['content']) ?? message.content }),
  with: ({ content }, own, { pointer, value }) =>
    pointer.startsWith('/content') ? withValue({ ...own, content }, pointer, value) : undefined,
}
