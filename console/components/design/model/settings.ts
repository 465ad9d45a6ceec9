import type { DesignNode } from './model.ts'
import type { ApiBlockKind, ApiDesign } from './shapes.ts'

/** How a member of a block is set, and what it is called in the texts. */
export interface BlockSetting {
  member: string
  as: 'line' | 'lines' | 'picture' | 'number' | 'switch' | 'choice' | 'code'
  label:
    | 'address'
    | 'align'
    | 'alt'
    | 'button'
    | 'decoration'
    | 'fontSize'
    | 'height'
    | 'html'
    | 'image'
    | 'level'
    | 'look'
    | 'name'
    | 'online'
    | 'postal'
    | 'price'
    | 'radius'
    | 'tone'
    | 'title'
    | 'unsubscribe'
    | 'wide'
    | 'width'
    | 'words'
    | 'logoAddress'
    | 'logoAlt'
    | 'logoWidth'
    | 'spaceAbove'
    | 'spaceBelow'
  /** Emptied, the member is taken away. */
  isOptional?: boolean
  min?: number
  max?: number
  /** What a choice is among: keys of the texts; the first is what an absent member means. */
  among?: readonly ('left' | 'center' | 'right' | 'filled' | 'outlined' | 'normal' | 'muted' | '1' | '2' | '3')[]
}

const line = (member: string, label: BlockSetting['label'], isOptional = false): BlockSetting => ({
  ...{ member, label, isOptional },
  as: 'line',
})
const picture = (member: string, label: BlockSetting['label'], isOptional = false): BlockSetting => ({
  ...{ member, label, isOptional },
  as: 'picture',
})
const pixels = (member: string, label: BlockSetting['label'], min: number, max: number): BlockSetting => ({
  ...{ member, label, min, max, as: 'number', isOptional: true },
})
const choice = (
  member: string,
  label: BlockSetting['label'],
  ...among: NonNullable<BlockSetting['among']>
): BlockSetting => ({
  ...{ member, label, among, as: 'choice', isOptional: true },
})

const align = (first: 'left' | 'center' = 'left'): BlockSetting =>
  first === 'left'
    ? choice('align', 'align', 'left', 'center', 'right')
    : choice('align', 'align', 'center', 'left', 'right')

const SPACE: readonly BlockSetting[] = [
  pixels('padding/top', 'spaceAbove', 0, 200),
  pixels('padding/bottom', 'spaceBelow', 0, 200),
]

/** What is set beside a block; its formatted text is written where it stands. */
export const BLOCK_SETTINGS: Record<ApiBlockKind, readonly BlockSetting[]> = {
  text: [pixels('size', 'fontSize', 10, 40), choice('tone', 'tone', 'normal', 'muted'), ...SPACE],
  heading: [line('text', 'words'), choice('level', 'level', '1', '2', '3'), align(), ...SPACE],
  image: [
    ...[picture('src', 'image'), line('alt', 'alt')],
    { member: 'isDecoration', label: 'decoration', as: 'switch', isOptional: true },
    ...[line('href', 'address', true), pixels('width', 'width', 1, 1000), pixels('radius', 'radius', 0, 500)],
    ...[align('center'), ...SPACE],
  ],
  button: [
    ...[line('text', 'words'), line('href', 'address'), choice('kind', 'look', 'filled', 'outlined'), align()],
    { member: 'isWide', label: 'wide', as: 'switch', isOptional: true },
    ...SPACE,
  ],
  divider: SPACE,
  spacer: [{ member: 'height', label: 'height', as: 'number', min: 0, max: 400 }],
  columns: [],
  header: [
    ...[line('name', 'name'), line('href', 'address', true), picture('logo/src', 'logoAddress', true)],
    ...[line('logo/alt', 'logoAlt'), pixels('logo/width', 'logoWidth', 1, 600), align(), ...SPACE],
  ],
  footer: [
    { member: 'address', label: 'postal', as: 'lines' },
    ...[line('unsubscribe', 'unsubscribe'), line('online', 'online', true), ...SPACE],
  ],
  social: [align(), ...SPACE],
  product: [
    ...[line('title', 'title'), line('text', 'words', true), line('price', 'price', true)],
    ...[picture('image', 'image', true), line('alt', 'alt', true), line('button', 'button', true)],
    ...[line('href', 'address', true), ...SPACE],
  ],
  html: [{ member: 'html', label: 'html', as: 'code' }, ...SPACE],
}

type Members = Record<string, unknown>

/** The value of a member: `padding/top`. */
export function readNodeMember(node: object, member: string): unknown {
  return member.split('/').reduce<unknown>((value, name) => (value as Members | null | undefined)?.[name], node)
}

/** A node with a member set; undefined takes it away, and what is empty around it. */
export function setNodeMember<T extends object>(node: T, member: string, value: unknown): T {
  const [name = '', ...rest] = member.split('/')
  const members = node as Members
  const next = rest.length === 0 ? value : setNodeMember((members[name] ?? {}) as object, rest.join('/'), value)
  const isGone = next === undefined || (rest.length > 0 && Object.keys(next as object).length === 0)
  const { [name]: _, ...others } = members
  return (isGone ? others : { ...members, [name]: next }) as T
}

const LOGO_WIDTH_PX = 120

/** A node or a design with a setting. A logo has all of its members or is not there. */
export function setDesignSetting<T extends DesignNode | ApiDesign>(node: T, member: string, value: unknown): T {
  if (!member.startsWith('logo/') || !('type' in node) || node.type !== 'header')
    return setNodeMember(node, member, value)
  const nothing = member === 'logo/width' ? LOGO_WIDTH_PX : ''
  const logo = { src: '', alt: '', width: LOGO_WIDTH_PX, ...node.logo, [member.slice(5)]: value ?? nothing }
  return logo.src === '' ? setNodeMember(node, 'logo', undefined) : { ...node, logo }
}
