import { TextInput } from '@mantine/core'
import { memo, useCallback } from 'react'
import { useText } from '../../text/catalogue.ts'
import { LineList } from '../form/LineList.tsx'
import styles from './Design.module.css'
import type { Act, Desk } from './model/desk.ts'
import { nodeAt, type Path, pathOf } from './model/model.ts'
import { memberOf, SETTINGS } from './model/settings.ts'
import type { Block, Row } from './model/shapes.ts'
import { type NodeProps, RepeatFields, RowFields, WidthsField } from './RowFields.tsx'
import { SettingField } from './SettingField.tsx'
import { ThemeFields } from './ThemeFields.tsx'
import { designTexts } from './texts.ts'

interface Props {
  desk: Desk
  warnings: Readonly<Record<string, string>>
  isReadOnly: boolean
  act(act: Act): void
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

/** A picture that nothing says in words. */
const isSilent = (block: Block, member: string): boolean =>
  !memberOf(block, member.replace(/(?<!\w)\w+$/, 'alt')) && memberOf(block, 'isDecoration') !== true

interface BlockProps extends NodeProps<Block> {
  onSet(member: string, value: unknown): void
}

function BlockFields({ parent: block, isReadOnly, onChange, onSet }: BlockProps) {
  const shared = { isReadOnly, onChange: onChange as (node: unknown, member: string) => void }
  return (
    <>
      {SETTINGS[block.type].map((setting) => (
        <SettingField
          key={setting.member}
          setting={setting}
          value={memberOf(block, setting.member)}
          isSilent={setting.as === 'picture' && isSilent(block, setting.member)}
          {...{ isReadOnly, onSet }}
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
  const at = node ? String(path) : ''
  const warning = node && warnings[at]
  const change = (next: Row | Block, member: string): void =>
    act({ do: 'change', path: path!, node: next, member, at: Date.now() })
  // It stays the same while something is written, so that the other settings are not drawn again.
  const set = useCallback(
    (member: string, value: unknown): void => act({ do: 'set', path: pathOf(at), member, value, at: Date.now() }),
    [act, at],
  )
  const title = !node ? t('theme') : 'type' in node ? t(node.type) : t('row')
  return (
    <section className={styles['settings']} aria-label={t('settingsOf', { what: title })} data-design-settings>
      <h2>{title}</h2>
      {warning && <p className={styles['whole']}>{warning}</p>}
      {!node && <ThemeFields design={present} isReadOnly={isReadOnly} onSet={set} />}
      {node && 'type' in node && <BlockFields parent={node} isReadOnly={isReadOnly} onChange={change} onSet={set} />}
      {node && !('type' in node) && <RowFields parent={node} isReadOnly={isReadOnly} onChange={change} />}
    </section>
  )
})
