import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const designTexts = catalogue(en, () => import('./fr.ts'))
