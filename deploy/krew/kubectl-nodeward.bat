@echo off
rem The nodeward command on Windows: 'kubectl nodeward' finds it in PATH. It needs Java 25 or later.
setlocal
set "NoDefaultCurrentDirectoryInExePath=1"
if defined JAVA_HOME set "PATH=%JAVA_HOME%\bin;%PATH%"
set "java=0"
for /f "tokens=3" %%v in ('java -version 2^>^&1 ^| findstr /c:" version "') do set "java=%%~v"
for /f "delims=.-+" %%v in ("%java%") do set "java=%%v"
set "found=there is Java %java%"
if "%java%"=="0" set "found=there is none"
if %java% LSS 25 (
  echo error: needs Java 25 or later by JAVA_HOME or in PATH; %found% 1>&2
  exit /b 1
)
set /p version=<"%~dp0VERSION"
java -Xmx1g -XX:+UseSerialGC -XX:+UseCompactObjectHeaders --sun-misc-unsafe-memory-access=allow -Xlog:disable -Xlog:all=error:stderr "-Dnodeward.version=%version%" %NODEWARD_JAVA_OPTS% -cp "%~dp0cli\target\lib\*" io.nodeward.cli.Main %*
