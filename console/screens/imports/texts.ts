import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const importTexts = catalogue(en, () => import('./fr.ts'))
