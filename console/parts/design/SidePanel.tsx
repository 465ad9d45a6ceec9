import { Button, ColorInput, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import styles from './Design.module.css'
import type { Act, Desk } from './desk.ts'
import { nodeAt, type Path, withColumns } from './model.ts'
import { SettingField } from './SettingField.tsx'
import { SETTINGS, withMember } from './settings.ts'
import { BACKGROUNDS, type Block, COLOURS, type Columns, type Design, FONTS, type Row } from './shapes.ts'
import { designTexts } from './texts.ts'

interface Props {
  desk: Desk
  isReadOnly: boolean
  act(act: Act): void
}

/** Widths that columns are chosen among. */
const WIDTHS = ['100', '50,50', '33,67', '67,33', '33,34,33', '25,25,25,25']

function WidthsField({ parent, isReadOnly, onChange }: NodeProps<Row | Columns>) {
  const t = useText(designTexts)
  const now = parent.columns.join(',')
  return (
    <Select
      size="xs"
      label={t('columnWidths')}
      readOnly={isReadOnly}
      allowDeselect={false}
      data={[...new Set([now, ...WIDTHS])].map((value) => ({ value, label: value.replaceAll(',', ' + ') }))}
      value={now}
      onChange={(next) => onChange(withColumns(parent, next!.split(',').map(Number)), 'columns')}
    />
  )
}

interface NodeProps<T> {
  parent: T
  isReadOnly: boolean
  onChange(node: T, member: string): void
}

function RepeatFields<T extends { repeat?: Row['repeat'] }>({ parent, isReadOnly, onChange }: NodeProps<T>) {
  const t = useText(designTexts)
  const { repeat } = parent
  const set = (next: Row['repeat']): void => onChange(withMember(parent, 'repeat', next), 'repeat')
  const name = (as: string): string =>
    as
      .toLowerCase()
      .replace(/^[^a-z_]+|[^a-z0-9_]/g, '')
      .slice(0, 40) || 'item'
  return (
    <>
      <TextInput
        size="xs"
        label={t('repeatOver')}
        description={t('repeatHelp')}
        readOnly={isReadOnly}
        value={repeat?.over ?? ''}
        onChange={({ currentTarget: { value: over } }) =>
          set(over === '' ? undefined : { as: 'item', ...repeat, over })
        }
      />
      {repeat && (
        <>
          <TextInput
            size="xs"
            label={t('repeatAs')}
            readOnly={isReadOnly}
            value={repeat.as}
            onChange={(event) => set({ ...repeat, as: name(event.currentTarget.value) })}
          />
          <NumberInput
            size="xs"
            label={t('repeatLimit')}
            readOnly={isReadOnly}
            min={1}
            max={100}
            clampBehavior="strict"
            allowDecimal={false}
            value={repeat.limit ?? ''}
            onChange={(limit) =>
              set(withMember(repeat, 'limit', limit === '' ? undefined : Math.max(1, Number(limit))))
            }
          />
        </>
      )}
    </>
  )
}

function RowFields(props: NodeProps<Row>) {
  const t = useText(designTexts)
  const { parent: row, isReadOnly, onChange } = props
  return (
    <>
      <WidthsField {...props} onChange={(next, member) => onChange(next as Row, member)} />
      <Select
        size="xs"
        label={t('background')}
        readOnly={isReadOnly}
        allowDeselect={false}
        data={BACKGROUNDS.map((value) => ({ value, label: t(value) }))}
        value={row.background ?? 'surface'}
        onChange={(next) => onChange(withMember(row, 'background', next), 'background')}
      />
      <TextInput
        size="xs"
        label={t('condition')}
        description={t('conditionHelp')}
        readOnly={isReadOnly}
        value={row.condition ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(withMember(row, 'condition', value || undefined), 'condition')
        }
      />
      <RepeatFields {...props} />
    </>
  )
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

function SocialFields({ parent, isReadOnly, onChange }: NodeProps<Extract<Block, { type: 'social' }>>) {
  const t = useText(designTexts)
  const { links } = parent
  const set = (next: typeof links): void => onChange({ ...parent, links: next }, 'links')
  const change = (index: number, part: Partial<(typeof links)[number]>): void =>
    set(links.map((link, place) => (place === index ? { ...link, ...part } : link)))
  return (
    <>
      {links.map((link, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links have no ids
        <div key={index} className={styles['pair']}>
          <TextInput
            size="xs"
            aria-label={t('linkName', { number: String(index + 1) })}
            readOnly={isReadOnly}
            value={link.name}
            onChange={(event) => change(index, { name: event.currentTarget.value || ' ' })}
          />
          <TextInput
            size="xs"
            aria-label={t('linkAddress', { number: String(index + 1) })}
            readOnly={isReadOnly}
            value={link.href}
            onChange={(event) => change(index, { href: event.currentTarget.value })}
          />
          {!isReadOnly && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              onClick={() => set(links.filter((one) => one !== link))}
            >
              {t('remove')}
            </Button>
          )}
        </div>
      ))}
      {!isReadOnly && links.length < 12 && (
        <Button size="compact-xs" variant="default" onClick={() => set([...links, { name: 'Link', href: '' }])}>
          {t('addLink')}
        </Button>
      )}
    </>
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

function ThemeFields({ design, isReadOnly, act }: { design: Design; isReadOnly: boolean; act: Props['act'] }) {
  const t = useText(designTexts)
  const { theme, preheader = '' } = design
  const set = (member: string, value: unknown): void =>
    act({ do: 'theme', design: withMember(design, member, value), member, at: Date.now() })
  const colours = (scheme: 'colours' | 'dark') =>
    COLOURS.map((name) => (
      <ColorInput
        withEyeDropper={false}
        key={name}
        size="xs"
        format="hex"
        label={t(`colour_${name}`)}
        readOnly={isReadOnly}
        value={theme[scheme]?.[name] ?? ''}
        onChange={(value) => {
          if (/^#[0-9a-f]{6}$/i.test(value)) set(`theme/${scheme}/${name}`, value)
        }}
      />
    ))
  return (
    <>
      <TextInput
        size="xs"
        label={t('preheader')}
        description={t('preheaderHelp')}
        readOnly={isReadOnly}
        maxLength={300}
        value={preheader}
        onChange={(event) => set('preheader', event.currentTarget.value || undefined)}
      />
      <SettingField
        node={theme}
        setting={{ member: 'width', label: 'width', as: 'number', min: 320, max: 800 }}
        isReadOnly={isReadOnly}
        onChange={(value) => set('theme/width', value)}
      />
      {(['heading', 'body'] as const).map((part) => (
        <Select
          key={part}
          size="xs"
          label={t(part === 'heading' ? 'headingFont' : 'bodyFont')}
          readOnly={isReadOnly}
          allowDeselect={false}
          data={FONTS.map((value) => ({ value, label: t(value) }))}
          value={theme.fonts[part]}
          onChange={(value) => set(`theme/fonts/${part}`, value)}
        />
      ))}
      {colours('colours')}
      <Switch
        size="xs"
        label={t('hasDark')}
        disabled={isReadOnly}
        checked={theme.dark !== null}
        onChange={(event) => set('theme/dark', event.currentTarget.checked ? theme.colours : null)}
      />
      {theme.dark && colours('dark')}
    </>
  )
}

/** The settings of the chosen block or row, or of the whole design. */
export function SidePanel({ desk, isReadOnly, act }: Props) {
  const t = useText(designTexts)
  const { present } = desk.history
  const path: Path | null = desk.chosen
  const node = path && nodeAt(present, path)
  const change = (next: Row | Block, member: string): void =>
    act({ do: 'change', path: path!, node: next, member, at: Date.now() })
  const title = !node ? t('theme') : 'type' in node ? t(node.type) : t('row')
  return (
    <section className={styles['settings']} aria-label={t('settingsOf', { what: title })} data-design-settings>
      <h2>{title}</h2>
      {!node && <ThemeFields design={present} isReadOnly={isReadOnly} act={act} />}
      {node && 'type' in node && <BlockFields parent={node} isReadOnly={isReadOnly} onChange={change} />}
      {node && !('type' in node) && <RowFields parent={node} isReadOnly={isReadOnly} onChange={change} />}
    </section>
  )
}
