import { lazy } from 'react'
import { setPointerValue } from '../../../components/form/pointers.ts'
import type { ApiAction } from '../action.ts'
import type { ApiRcsAction } from '../rcs/rcs-kind.ts'
import type { ContentVersionKind, VersionOwnContent } from '../write/channel.ts'

const LazyEmailFields = lazy(() => import('./EmailVersion.tsx').then((module) => ({ default: module.EmailVersion })))
const LazySmsFields = lazy(() => import('./SmsVersion.tsx').then((module) => ({ default: module.SmsVersion })))
const LazyRcsFields = lazy(() =>
  import('../rcs/RcsContentEditor.tsx').then((module) => ({ default: module.RcsContentFields })),
)

const FROM_POINTER = '/content/headers/from'

interface EmailVersionContent {
  subject?: string | null
  from?: Partial<NonNullable<ApiAction['content']['headers']>['from']>
  content?: Partial<Pick<ApiAction['content'], 'html' | 'text'>>
}

/** Pointer within a version for a member of an email. */
const toVersionPointer = (pointer: string): string =>
  pointer.startsWith(FROM_POINTER)
    ? pointer.replace(FROM_POINTER, '/from')
    : pointer.replace(/^\/content\/subject/, '/subject')

const omitMember = (versionContent: VersionOwnContent, pointer: string): VersionOwnContent => {
  const [, member = ''] = pointer.split('/')
  const { [member]: _, ...others } = versionContent
  return others
}

/** An email version has its own subject, sender, and HTML and text; a design belongs to the HTML of the campaign. */
export const emailVersionKind: ContentVersionKind<ApiAction> = {
  Fields: LazyEmailFields,
  hasOpens: true,
  faultAt: toVersionPointer,
  of(message, rawContent) {
    const { subject, from, content = {} } = rawContent as EmailVersionContent
    const { design, ...ownContent } = message.content
    const versionHeaders =
      ownContent.headers && from
        ? { headers: { ...ownContent.headers, from: { ...ownContent.headers.from, ...from } } }
        : {}
    return {
      ...message,
      informations: { ...message.informations, lastValidation: null },
      content: {
        ...ownContent,
        ...content,
        ...(subject !== undefined && { subject }),
        ...versionHeaders,
        ...(design && content.html === undefined && { design }),
      },
    }
  },
  with(_, versionContent, { pointer, value }) {
    const versionPointer = toVersionPointer(pointer)
    if (!/^\/(subject|from|content)\b/.test(versionPointer) || versionPointer === '/content/design') return undefined
    return value === undefined
      ? omitMember(versionContent, versionPointer)
      : setPointerValue(versionContent, versionPointer, value)
  },
}

/** An SMS version has its own text. */
export const smsVersionKind: ContentVersionKind<ApiAction> = {
  Fields: LazySmsFields,
  hasOpens: false,
  faultAt: (pointer) => pointer,
  of: (message, ownContent) => ({
    ...message,
    informations: { ...message.informations, lastValidation: null },
    content: { ...message.content, ...(ownContent['content'] as Partial<ApiAction['content']> | undefined) },
  }),
  with: (_, versionContent, { pointer, value }) =>
    pointer === '/content/textContent' ? setPointerValue(versionContent, pointer, value) : undefined,
}

/** An RCS version has a complete content of its own. */
export const rcsVersionKind: ContentVersionKind<ApiRcsAction> = {
  Fields: LazyRcsFields,
  hasOpens: true,
  faultAt: (pointer) => pointer,
  of: (message, ownContent) => ({
    ...message,
    content: (ownContent['content'] as ApiRcsAction['content']) ?? message.content,
  }),
  with: ({ content }, versionContent, { pointer, value }) =>
    pointer.startsWith('/content') ? setPointerValue({ ...versionContent, content }, pointer, value) : undefined,
}
