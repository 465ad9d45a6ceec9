import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  compilable: 'Compilable',
  webtask: 'Webtask',
  action: 'Message',
  design: 'Maquette',
  field: 'Champ',
  form: 'Formulaire',
  import: 'Import',
  importFormat: 'Format d’import',
  notification: 'Notification',
  rcs: 'Message RCS',
  rule: 'Règle de pression',
  segment: 'Segment',
  unused: 'Rien ne l’utilise.',
  valueList: 'Liste de valeurs',
  workflow: 'Workflow',
} satisfies TranslatedStrings<typeof en>
