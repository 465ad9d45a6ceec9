import { TextInput } from '@mantine/core'
import { memo, useCallback } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { LineList } from '../form/LineList.tsx'
import { BlockSettingField } from './BlockSettingField.tsx'
import styles from './Design.module.css'
import { ColumnWidthsField, type DesignNodeProps, DesignRowFields, RowRepeatFields } from './DesignRowFields.tsx'
import type { DesignEditorAction, DesignEditorState } from './model/desk.ts'
import { type DesignPath, findDesignNode, parseDesignPath } from './model/model.ts'
import { BLOCK_SETTINGS, readNodeMember } from './model/settings.ts'
import type { ApiDesignBlock, ApiDesignRow } from './model/shapes.ts'
import { ThemeFields } from './ThemeFields.tsx'
import { designTexts } from './texts.ts'

interface Props {
  desk: DesignEditorState
  warnings: Readonly<Record<string, string>>
  isReadOnly: boolean
  act(act: DesignEditorAction): void
}

const MAX_SOCIAL_LINKS = 12

function SocialFields({ parent, isReadOnly, onChange }: DesignNodeProps<Extract<ApiDesignBlock, { type: 'social' }>>) {
  const t = useTranslator(designTexts)
  const { links } = parent
  const applyChange = (next: typeof links): void => onChange({ ...parent, links: next }, 'links')
  const changeLink = (place: number, part: Partial<(typeof links)[number]>): void =>
    applyChange(links.with(place, { ...links[place]!, ...part }))
  return (
    <LineList
      values={links}
      onChange={applyChange}
      addLabel={t('addLink')}
      fresh={() => ({ name: 'Link', href: '' })}
      removeLabel={({ name }) => t('removeLink', { name })}
      isReadOnly={isReadOnly}
      most={MAX_SOCIAL_LINKS}
      className={styles['pair']}
    >
      {(link, place) => (
        <>
          <TextInput
            size="xs"
            aria-label={t('linkName', { number: String(place + 1) })}
            readOnly={isReadOnly}
            value={link.name}
            onChange={(event) => changeLink(place, { name: event.currentTarget.value || ' ' })}
          />
          <TextInput
            size="xs"
            aria-label={t('linkAddress', { number: String(place + 1) })}
            readOnly={isReadOnly}
            value={link.href}
            onChange={(event) => changeLink(place, { href: event.currentTarget.value })}
          />
        </>
      )}
    </LineList>
  )
}

/** A picture that nothing says in words. */
const lacksAltText = (block: ApiDesignBlock, member: string): boolean =>
  !readNodeMember(block, member.replace(/(?<!\w)\w+$/, 'alt')) && readNodeMember(block, 'isDecoration') !== true

interface BlockProps extends DesignNodeProps<ApiDesignBlock> {
  onSet(member: string, value: unknown): void
}

function BlockFields({ parent: block, isReadOnly, onChange, onSet }: BlockProps) {
  const shared = { isReadOnly, onChange: onChange as (node: unknown, member: string) => void }
  return (
    <>
      {BLOCK_SETTINGS[block.type].map((setting) => (
        <BlockSettingField
          key={setting.member}
          setting={setting}
          value={readNodeMember(block, setting.member)}
          isSilent={setting.as === 'picture' && lacksAltText(block, setting.member)}
          isReadOnly={isReadOnly}
          onSet={onSet}
        />
      ))}
      {block.type === 'columns' && <ColumnWidthsField parent={block} {...shared} />}
      {block.type === 'social' && <SocialFields parent={block} {...shared} />}
      {block.type === 'product' && <RowRepeatFields parent={block} {...shared} />}
    </>
  )
}

/** The settings of the chosen block or row, or of the whole design. */
export const DesignSidePanel = memo(function DesignSidePanel({ desk, warnings, isReadOnly, act }: Props) {
  const t = useTranslator(designTexts)
  const { present } = desk.history
  const path: DesignPath | null = desk.chosen
  const node = path && findDesignNode(present, path)
  const pathText = node ? String(path) : ''
  const warning = node && warnings[pathText]
  const change = (next: ApiDesignRow | ApiDesignBlock, member: string): void =>
    act({ do: 'change', path: path!, node: next, member, at: Date.now() })
  // It stays the same while something is written, so that the other settings are not drawn again.
  const applyChange = useCallback(
    (member: string, value: unknown): void =>
      act({ do: 'set', path: parseDesignPath(pathText), member, value, at: Date.now() }),
    [act, pathText],
  )
  const title = !node ? t('theme') : 'type' in node ? t(node.type) : t('row')
  return (
    <section className={styles['settings']} aria-label={t('settingsOf', { what: title })} data-design-settings>
      <h2>{title}</h2>
      {warning && <p className={styles['whole']}>{warning}</p>}
      {!node && <ThemeFields design={present} isReadOnly={isReadOnly} onSet={applyChange} />}
      {node && 'type' in node && (
        <BlockFields parent={node} isReadOnly={isReadOnly} onChange={change} onSet={applyChange} />
      )}
      {node && !('type' in node) && <DesignRowFields parent={node} isReadOnly={isReadOnly} onChange={change} />}
    </section>
  )
})
