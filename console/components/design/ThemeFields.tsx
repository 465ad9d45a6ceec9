import { ColorInput, Select, Switch, TextInput } from '@mantine/core'
import { memo } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { BlockSettingField } from './BlockSettingField.tsx'
import type { BlockSetting } from './model/settings.ts'
import { type ApiDesign, DESIGN_COLOURS, DESIGN_FONTS } from './model/shapes.ts'
import { designTexts } from './texts.ts'

interface SharedFieldProps {
  isReadOnly: boolean
  onSet(member: string, value: unknown): void
}

interface ColourFieldProps extends SharedFieldProps {
  scheme: 'colours' | 'dark'
  name: (typeof DESIGN_COLOURS)[number]
  value: string
}

/** There are many of them: drawn again when it changes itself. */
const ColourField = memo(function ColourField({ scheme, name, value, isReadOnly, onSet }: ColourFieldProps) {
  const t = useTranslator(designTexts)
  return (
    <ColorInput
      withEyeDropper={false}
      size="xs"
      format="hex"
      label={t(`colour_${name}`)}
      readOnly={isReadOnly}
      value={value}
      onChange={(next) => {
        if (/^#[0-9a-f]{6}$/i.test(next)) onSet(`theme/${scheme}/${name}`, next)
      }}
    />
  )
})

const WIDTH_SETTING: BlockSetting = { member: 'theme/width', label: 'width', as: 'number', min: 320, max: 800 }

/** The settings of the whole design. */
export function ThemeFields({ design, ...shared }: SharedFieldProps & { design: ApiDesign }) {
  const t = useTranslator(designTexts)
  const { theme, preheader = '' } = design
  const { isReadOnly, onSet } = shared
  const renderColours = (scheme: 'colours' | 'dark') =>
    DESIGN_COLOURS.map((name) => (
      <ColourField key={name} {...shared} scheme={scheme} name={name} value={theme[scheme]?.[name] ?? ''} />
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
        onChange={(event) => onSet('preheader', event.currentTarget.value || undefined)}
      />
      <BlockSettingField setting={WIDTH_SETTING} value={theme.width} {...shared} />
      {(['heading', 'body'] as const).map((part) => (
        <Select
          key={part}
          size="xs"
          label={t(part === 'heading' ? 'headingFont' : 'bodyFont')}
          readOnly={isReadOnly}
          allowDeselect={false}
          data={DESIGN_FONTS.map((value) => ({ value, label: t(value) }))}
          value={theme.fonts[part]}
          onChange={(value) => onSet(`theme/fonts/${part}`, value)}
        />
      ))}
      {renderColours('colours')}
      <Switch
        size="xs"
        label={t('hasDark')}
        disabled={isReadOnly}
        checked={theme.dark !== null}
        onChange={(event) => onSet('theme/dark', event.currentTarget.checked ? theme.colours : null)}
      />
      {theme.dark && renderColours('dark')}
    </>
  )
}
