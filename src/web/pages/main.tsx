import { render } from "preact";
import { App } from "./shell/app.tsx";
import { installChartStyle } from "./shell/chart-style.ts";
import { installTheme } from "./shell/theme.ts";

installChartStyle();
installTheme();
render(<App />, document.querySelector("#page")!);
