import { TextInput } from '@mantine/core'
import { memo } from 'react'
import { useText } from '../../text/catalogue.ts'
import { LineList } from '../form/LineList.tsx'
import styles from './Design.module.css'
import type { Act, Desk } from './desk.ts'
import { nodeAt, type Path } from './model.ts'
import { type NodeProps, RepeatFields, RowFields, WidthsField } from './RowFields.tsx'
import { SettingField } from './SettingField.tsx'
import { SETTINGS, withMember } from './settings.ts'
import type { Block, Row } from './shapes.ts'
import { ThemeFields } from './ThemeFields.tsx'
import { designTexts } from './texts.ts'

interface Props {
  desk: Desk
  warnings: Readonly<Record<string, string>>
  isReadOnly: boolean
  act(act: Act): void
}

/** A logo has all of its members or is not there. */
function withSetting(block: Block, member: string, value: unknown): Block {
  if (!member.startsWith('logo/') || block.type !== 'header') return withMember(block, member, value)
  const logo = {
    src: '',
    alt: '',
    width: 120,
    ...block.logo,
    [member.slice(5)]: value ?? (member === 'logo/width' ? 120 : ''),
  }
  return logo.src === '' ? withMember(block, 'logo', undefined) : { ...block, logo }
}

const MOST_LINKS = 12

function SocialFields({ parent, isReadOnly, onChange }: NodeProps<Extract<Block, { type: 'social' }>>) {
  const t = useText(designTexts)
  const { links } = parent
  const set = (next: typeof links): void => onChange({ ...parent, links: next }, 'links')
  const change = (place: number, part: Partial<(typeof links)[number]>): void =>
    set(links.with(place, { ...links[place]!, ...part }))
  return (
    <LineList
      values={links}
      onChange={set}
      addLabel={t('addLink')}
      fresh={() => ({ name: 'Link', href: '' })}
      removeLabel={({ name }) => t('removeLink', { name })}
      isReadOnly={isReadOnly}
      most={MOST_LINKS}
      className={styles['pair']}
    >
      {(link, place) => (
        <>
          <TextInput
            size="xs"
            aria-label={t('linkName', { number: String(place + 1) })}
            readOnly={isReadOnly}
            value={link.name}
            onChange={(event) => change(place, { name: event.currentTarget.value || ' ' })}
          />
          <TextInput
            size="xs"
            aria-label={t('linkAddress', { number: String(place + 1) })}
            readOnly={isReadOnly}
            value={link.href}
            onChange={(event) => change(place, { href: event.currentTarget.value })}
          />
        </>
      )}
    </LineList>
  )
}

function BlockFields({ parent: block, isReadOnly, onChange }: NodeProps<Block>) {
  const shared = { isReadOnly, onChange: onChange as (node: unknown, member: string) => void }
  return (
    <>
      {SETTINGS[block.type].map((setting) => (
        <SettingField
          key={setting.member}
          node={block}
          setting={setting}
          isReadOnly={isReadOnly}
          onChange={(value) => onChange(withSetting(block, setting.member, value), setting.member)}
        />
      ))}
      {block.type === 'columns' && <WidthsField parent={block} {...shared} />}
      {block.type === 'social' && <SocialFields parent={block} {...shared} />}
      {block.type === 'product' && <RepeatFields parent={block} {...shared} />}
    </>
  )
}

/** The settings of the chosen block or row, or of the whole design. */
export const SidePanel = memo(function SidePanel({ desk, warnings, isReadOnly, act }: Props) {
  const t = useText(designTexts)
  const { present } = desk.history
  const path: Path | null = desk.chosen
  const node = path && nodeAt(present, path)
  const warning = node && warnings[String(path)]
  const change = (next: Row | Block, member: string): void =>
    act({ do: 'change', path: path!, node: next, member, at: Date.now() })
  const title = !node ? t('theme') : 'type' in node ? t(node.type) : t('row')
  return (
    <section className={styles['settings']} aria-label={t('settingsOf', { what: title })} data-design-settings>
      <h2>{title}</h2>
      {warning && <p className={styles['whole']}>{warning}</p>}
      {!node && <ThemeFields design={present} isReadOnly={isReadOnly} act={act} />}
      {node && 'type' in node && <BlockFields parent={node} isReadOnly={isReadOnly} onChange={change} />}
      {node && !('type' in node) && <RowFields parent={node} isReadOnly={isReadOnly} onChange={change} />}
    </section>
  )
})
