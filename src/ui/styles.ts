import './mantine.css'
import 'virtual:theme.css'
import './fonts.css'
import './base.css'
