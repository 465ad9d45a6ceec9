import { ColorInput, Select, Switch, TextInput } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import type { Act } from './desk.ts'
import { SettingField } from './SettingField.tsx'
import { withMember } from './settings.ts'
import { COLOURS, type Design, FONTS } from './shapes.ts'
import { designTexts } from './texts.ts'

interface Props {
  design: Design
  isReadOnly: boolean
  act(act: Act): void
}

/** The settings of the whole design. */
export function ThemeFields({ design, isReadOnly, act }: Props) {
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
