use login_engine::{wire::SessionOpenParams, Engine};
use std::process::Command;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::start(Command::new("login-engine").args(["--authenticator", "demo"]))?;
    let session = engine.open(SessionOpenParams::default(), |change| println!("{change:?}"))?;
    session.edit("email", "ada@example.com");
    session.edit("password", "correct horse");
    session.press(None).wait()?; // the button, once the engine has counted both edits
    let snapshot = session.wait(|it| it.scene.is_some() || it.error.is_some())?;
    println!("Hello {}", snapshot.scene.and_then(|it| it.principal).unwrap_or_default());
    engine.close()?;
    Ok(())
}
