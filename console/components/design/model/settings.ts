import type { DesignNode } from './model.ts'
import type { ApiBlockKind, ApiDesign } from './shapes.ts'

/** Input type of a block member, and the key of its label. */
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
  /** Options of a choice, as keys of the texts; the first one is the meaning of an absent member. */
  among?: readonly ('left' | 'center' | 'right' | 'filled' | 'outlined' | 'normal' | 'muted' | '1' | '2' | '3')[]
}

const lineSetting = (member: string, label: BlockSetting['label'], isOptional = false): BlockSetting => ({
  member,
  label,
  isOptional,
  as: 'line',
})
const pictureSetting = (member: string, label: BlockSetting['label'], isOptional = false): BlockSetting => ({
  member,
  label,
  isOptional,
  as: 'picture',
})
const pixelSetting = (member: string, label: BlockSetting['label'], min: number, max: number): BlockSetting => ({
  member,
  label,
  min,
  max,
  as: 'number',
  isOptional: true,
})
const choiceSetting = (
  member: string,
  label: BlockSetting['label'],
  ...among: NonNullable<BlockSetting['among']>
): BlockSetting => ({
  member,
  label,
  among,
  as: 'choice',
  isOptional: true,
})

const alignSetting = (first: 'left' | 'center' = 'left'): BlockSetting =>
  first === 'left'
    ? choiceSetting('align', 'align', 'left', 'center', 'right')
    : choiceSetting('align', 'align', 'center', 'left', 'right')

const SPACING_SETTINGS: readonly BlockSetting[] = [
  pixelSetting('padding/top', 'spaceAbove', 0, 200),
  pixelSetting('padding/bottom', 'spaceBelow', 0, 200),
]

/** Settings shown next to a block; its formatted text is edited on the canvas. */
export const BLOCK_SETTINGS: Record<ApiBlockKind, readonly BlockSetting[]> = {
  text: [
    pixelSetting('size', 'fontSize', 10, 40),
    choiceSetting('tone', 'tone', 'normal', 'muted'),
    ...SPACING_SETTINGS,
  ],
  heading: [
    lineSetting('text', 'words'),
    choiceSetting('level', 'level', '1', '2', '3'),
    alignSetting(),
    ...SPACING_SETTINGS,
  ],
  image: [
    pictureSetting('src', 'image'),
    lineSetting('alt', 'alt'),
    { member: 'isDecoration', label: 'decoration', as: 'switch', isOptional: true },
    lineSetting('href', 'address', true),
    pixelSetting('width', 'width', 1, 1000),
    pixelSetting('radius', 'radius', 0, 500),
    alignSetting('center'),
    ...SPACING_SETTINGS,
  ],
  button: [
    lineSetting('text', 'words'),
    lineSetting('href', 'address'),
    choiceSetting('kind', 'look', 'filled', 'outlined'),
    alignSetting(),
    { member: 'isWide', label: 'wide', as: 'switch', isOptional: true },
    ...SPACING_SETTINGS,
  ],
  divider: SPACING_SETTINGS,
  spacer: [{ member: 'height', label: 'height', as: 'number', min: 0, max: 400 }],
  columns: [],
  header: [
    lineSetting('name', 'name'),
    lineSetting('href', 'address', true),
    pictureSetting('logo/src', 'logoAddress', true),
    lineSetting('logo/alt', 'logoAlt'),
    pixelSetting('logo/width', 'logoWidth', 1, 600),
    alignSetting(),
    ...SPACING_SETTINGS,
  ],
  footer: [
    { member: 'address', label: 'postal', as: 'lines' },
    lineSetting('unsubscribe', 'unsubscribe'),
    lineSetting('online', 'online', true),
    ...SPACING_SETTINGS,
  ],
  social: [alignSetting(), ...SPACING_SETTINGS],
  product: [
    lineSetting('title', 'title'),
    lineSetting('text', 'words', true),
    lineSetting('price', 'price', true),
    pictureSetting('image', 'image', true),
    lineSetting('alt', 'alt', true),
    lineSetting('button', 'button', true),
    lineSetting('href', 'address', true),
    ...SPACING_SETTINGS,
  ],
  html: [{ member: 'html', label: 'html', as: 'code' }, ...SPACING_SETTINGS],
}

type NodeMembers = Record<string, unknown>

/** The value of a member: `padding/top`. */
export function readNodeMember(node: object, member: string): unknown {
  return member.split('/').reduce<unknown>((value, name) => (value as NodeMembers | null | undefined)?.[name], node)
}

/** A node with a member set; undefined takes it away, and what is empty around it. */
export function setNodeMember<T extends object>(node: T, member: string, value: unknown): T {
  const [name = '', ...nestedNames] = member.split('/')
  const nodeMembers = node as NodeMembers
  const nextValue =
    nestedNames.length === 0 ? value : setNodeMember((nodeMembers[name] ?? {}) as object, nestedNames.join('/'), value)
  const isRemoved = nextValue === undefined || (nestedNames.length > 0 && Object.keys(nextValue as object).length === 0)
  const { [name]: _, ...others } = nodeMembers
  return (isRemoved ? others : { ...nodeMembers, [name]: nextValue }) as T
}

const LOGO_WIDTH_PX = 120

/** A node or a design with a setting. A logo has all of its members or is not there. */
export function setDesignSetting<T extends DesignNode | ApiDesign>(node: T, member: string, value: unknown): T {
  if (!member.startsWith('logo/') || !('type' in node) || node.type !== 'header')
    return setNodeMember(node, member, value)
  const defaultValue = member === 'logo/width' ? LOGO_WIDTH_PX : ''
  const changedLogo = { src: '', alt: '', width: LOGO_WIDTH_PX, ...node.logo, [member.slice(5)]: value ?? defaultValue }
  return changedLogo.src === '' ? setNodeMember(node, 'logo', undefined) : { ...node, logo: changedLogo }
}
