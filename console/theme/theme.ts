import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** Deep teal; 6 is filled in the dark, 7 in the light. */
const tealShades: MantineColorsTuple = [
  '#e9f4f3',
  '#d3e8e6',
  '#a5d0cc',
  '#75b7b2',
  '#5cbdb6',
  '#2b918b',
  '#1c7a75',
  '#0f5e5c',
  '#0b4c4a',
  '#083a39',
]

/** For what cannot be undone; 6 is filled in the dark, 7 in the light. */
const redShades: MantineColorsTuple = [
  '#fbeae8',
  '#f6d0cc',
  '#f1b5af',
  '#f39389',
  '#e0675c',
  '#c94a3f',
  '#b83a30',
  '#b3261e',
  '#8f1e18',
  '#6d1712',
]

/** Warm greys of controls in the light, as the paper of `tokens.css`. */
const lightGreys: MantineColorsTuple = [
  '#faf9f7',
  '#f4f2ee',
  '#ebe8e2',
  '#e5e2dc',
  '#d3cec5',
  '#a8a298',
  '#8d877d',
  '#5c5850',
  '#33302c',
  '#1f1d1a',
]

/** Warm greys of controls in the dark. */
const darkGreys: MantineColorsTuple = [
  '#ece9e4',
  '#b0aaa1',
  '#9a948b',
  '#7d776e',
  '#45413c',
  '#36332f',
  '#2a2825',
  '#211f1d',
  '#1d1b19',
  '#191816',
]

/** Mantine theme in the colours of `tokens.css`. */
export const mantineTheme = createTheme({
  colors: { teal: tealShades, red: redShades, gray: lightGreys, dark: darkGreys },
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: 'var(--text)',
  fontFamilyMonospace: 'var(--code)',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    InputWrapper: {
      defaultProps: { withAsterisk: false, inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
    Button: { defaultProps: { size: 'xs', fz: 14 } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 30 } },
    Modal: {
      defaultProps: {
        attributes: { header: { role: 'none' } },
        centered: true,
        transitionProps: { transition: 'fade', duration: 100 },
        padding: 'lg',
      },
    },
    Drawer: { defaultProps: { attributes: { header: { role: 'none' } }, transitionProps: { duration: 120 } } },
    Menu: {
      defaultProps: { position: 'bottom-end', transitionProps: { transition: 'fade', duration: 80 }, shadow: 'none' },
    },
    Tooltip: {
      defaultProps: {
        openDelay: 350,
        transitionProps: { duration: 80 },
        multiline: true,
        maw: 320,
        fz: 12,
        events: { hover: true, focus: true, touch: true },
      },
    },
    Popover: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'none' } },
    Select: { defaultProps: { checkIconPosition: 'right', comboboxProps: { shadow: 'none' } } },
  },
})
