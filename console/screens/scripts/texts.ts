import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const scriptTexts = catalogue(en, () => import('./fr.ts'))
